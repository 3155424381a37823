import { ActionIcon, Button, Textarea, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Brain, Download, PencilLine, RotateCw, Wrench } from "lucide-react";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useUnsaved } from "../../../api/address/use-unsaved.ts";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { CodeBlock } from "../../../ui/code/code-block.tsx";
import { CopyButton } from "../../../ui/code/copy-button.tsx";
import { LongText } from "../../../ui/code/long-text.tsx";
import { RestButton } from "../../../ui/code/rest-button.tsx";
import { useFirstRows } from "../../../ui/code/use-first-rows.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import { BranchSwitch, type Versions } from "./branch-switch.tsx";
import type { ConversationCall, Turn } from "../conversations/conversation.ts";
import { isStarterRefusal } from "../starter-model.ts";
import { WaitLine } from "./wait-line.tsx";
import type { Wait } from "../conversations/wait.ts";
import classes from "../chat.module.css";

/** One message: a question, a tool's result, or an answer with its thoughts and figures. */
export const TurnView = memo(function TurnView(props: {
  /** The key of the visible version. */
  id: number | undefined;
  turn: Turn;
  streaming: boolean;
  wait: Wait | undefined;
  /** Asks again with another text. */
  onEdit: ((text: string) => void) | undefined;
  /** Asks for an answer: another one, or one that has not come. */
  onAnswer: (() => void) | undefined;
  /** Asks one of the questions that the model offers. */
  onSuggestion: ((question: string) => void) | undefined;
  /** Absent while there is only one version. */
  versions: Versions | undefined;
}) {
  const { t } = useTranslation();
  const { id, turn, streaming } = props;
  const [edited, setEdited] = useState<number>();
  const editing = edited !== undefined && edited === id;
  const author = turn.role === "user" ? t("chat.you") : (turn.tool ?? turn.model ?? t("chat.model"));
  return (
    <article className={classes.turn} data-role={turn.role} data-streaming={streaming} aria-label={author}>
      <h2 className={classes.author}>
        {turn.role === "tool" && <Wrench size={11} aria-hidden />} {author}
      </h2>
      {editing ? (
        <EditForm key={id} text={turn.content} onSend={props.onEdit} onClose={() => setEdited(undefined)} />
      ) : (
        <>
          {props.wait && <WaitLine wait={props.wait} />}
          <Said turn={turn} streaming={streaming} />
          {props.onSuggestion && <Suggestions questions={turn.suggestions} onAsk={props.onSuggestion} />}
          {!streaming && isStarterRefusal(turn) && <LargerModel />}
        </>
      )}
      {!editing && (
        <div className={classes.under}>
          <TurnNotes turn={turn} />
          <span className={classes.turnTools}>
            {props.versions && <BranchSwitch {...props.versions} />}
            {turn.content !== "" && <CopyButton value={turn.content} name={t("chat.message")} />}
            {props.onEdit && (
              <Act label={t("chat.edit")} icon={PencilLine} data-focus-home onClick={() => setEdited(id)} />
            )}
            {props.onAnswer && (
              <Act
                label={t(turn.role === "assistant" ? "chat.regenerate" : "failure.tryAgain")}
                icon={RotateCw}
                onClick={props.onAnswer}
              />
            )}
          </span>
        </div>
      )}
    </article>
  );
});

function Suggestions({
  questions = [],
  onAsk,
}: {
  questions: string[] | undefined;
  onAsk: (question: string) => void;
}) {
  const { t } = useTranslation();
  if (questions.length === 0) return null;
  return (
    <div className={classes.suggestions} role="group" aria-label={t("chat.suggestions")}>
      {questions.map((question) => (
        <Button key={question} size="xs" radius="xl" onClick={() => onAsk(question)}>
          {question}
        </Button>
      ))}
    </div>
  );
}

/** The way to a model that knows what the starter model does not. */
function LargerModel() {
  const { t } = useTranslation();
  return (
    <Button
      className={classes.larger}
      size="xs"
      variant="filled"
      leftSection={<Download size={13} aria-hidden />}
      renderRoot={(root) => <Link {...root} to="/models" search={{ view: "pull" }} />}
    >
      {t("chat.pullLarger")}
    </Button>
  );
}

function Act(props: { label: string; icon: typeof Brain; "data-focus-home"?: true; onClick: () => void }) {
  const { label, icon: Icon, ...rest } = props;
  return (
    <Tooltip label={label}>
      <ActionIcon size={24} aria-label={label} {...rest}>
        <Icon size={13} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

const callsAtOnce = 20;

function Said({ turn, streaming }: { turn: Turn; streaming: boolean }) {
  const { t } = useTranslation();
  const { role, content, thinking, calls = [] } = turn;
  const { shown, more, showMore } = useFirstRows(calls, callsAtOnce);
  return (
    <>
      {thinking !== undefined && thinking !== "" && (
        <details className={classes.thought}>
          <summary>
            <Brain size={13} aria-hidden /> {t(streaming && content === "" ? "chat.thinks" : "chat.thought")}
          </summary>
          <div className={classes.text}>
            <LongText text={thinking} />
          </div>
        </details>
      )}
      {role === "user" && (
        <div className={classes.text}>
          <LongText text={content} />
        </div>
      )}
      {role === "tool" && <CodeBlock code={content} name={t("chat.result")} />}
      {role === "assistant" && content !== "" && (
        <div className={classes.answer}>
          <Markdown text={content} />
        </div>
      )}
      {shown.map((call, index) => (
        <TurnCall key={index} call={call} />
      ))}
      {more > 0 && <RestButton rows={more} onClick={showMore} />}
    </>
  );
}

/** A call requested by the model. */
export function TurnCall({ call }: { call: ConversationCall }) {
  const { t } = useTranslation();
  return (
    <div className={classes.call}>
      <span className={classes.callName}>
        <Wrench size={12} aria-hidden /> {t("chat.calls", { name: call.name })}
      </span>
      <CodeBlock code={JSON.stringify(call.arguments, null, 2)} name={t("chat.arguments")} />
    </div>
  );
}

const focus = (field: HTMLElement | null) => field?.focus();

/** `onSend` is absent while nothing can be asked, as during an answer: what is typed stays. */
function EditForm(props: { text: string; onSend: ((text: string) => void) | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState(props.text);
  const send = text.trim() === "" ? undefined : props.onSend;
  useUnsaved(text !== props.text, ["conversation"]);
  return (
    <form
      className={classes.editForm}
      onKeyDown={(event) => {
        if (event.key === "Escape") props.onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!send) return;
        props.onClose();
        send(text.trim());
      }}
    >
      <Textarea
        aria-label={t("chat.edit")}
        autosize
        maxRows={12}
        size="sm"
        ref={focus}
        value={text}
        onChange={(change) => setText(change.currentTarget.value)}
      />
      <div className={classes.buttons}>
        <Button type="submit" variant="filled" disabled={!send}>
          {t("chat.resend")}
        </Button>
        <Button onClick={props.onClose}>{t("common.cancel")}</Button>
      </div>
    </form>
  );
}

function TurnNotes({ turn }: { turn: Turn }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { ended, leftOut } = turn;
  // A refusal is the service's: how fast the model began an answer that is not shown says nothing.
  const metrics = turn.suggestions ? undefined : turn.metrics;
  const notes = [
    ...(ended === undefined ? [] : [t(ended === "stopped" ? "chat.stopped" : "chat.cutOff")]),
    ...(metrics
      ? [
          t("chat.tokens", { count: metrics.tokens }),
          t("chat.speed", { rate: formats.number(metrics.tokensPerSecond, 1) }),
          t("chat.firstToken", { seconds: formats.duration(metrics.firstTokenMs) }),
        ]
      : []),
    ...(leftOut && leftOut.messages > 0 ? [t("chat.messagesLeftOut", { count: leftOut.messages })] : []),
    ...(leftOut && leftOut.tokens > 0 ? [t("chat.tokensLeftOut", { count: leftOut.tokens })] : []),
  ];
  return <p className={classes.notes}>{notes.join(" · ")}</p>;
}
