/** Reports to the app what happened, by message push. */
export interface MiniProgramEventsPort {
  answered(openid: string, answers: Readonly<Record<string, string>>): Promise<void>;
  unsubscribed(openid: string, templateId: string): Promise<void>;
  sent(openid: string, templateId: string, messageId: number): Promise<void>;
  mediaChecked(check: {
    readonly openid: string;
    readonly traceId: string;
    readonly suggest: string;
    readonly label: number;
    readonly version: 1 | 2;
  }): Promise<void>;
}
