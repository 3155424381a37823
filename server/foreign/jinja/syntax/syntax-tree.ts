/** The parts of a parsed template. */
import type { BinaryOperator } from "../values/operators.ts";
import type { Value } from "../values/value.ts";

export interface CallArguments {
  readonly positional: readonly Expression[];
  readonly named: readonly (readonly [name: string, value: Expression])[];
  /** `*items` */
  readonly spread: Expression | undefined;
  /** `**mapping` */
  readonly spreadNamed: Expression | undefined;
}

export interface SliceBounds {
  readonly start: Expression | undefined;
  readonly stop: Expression | undefined;
  readonly step: Expression | undefined;
}

/** A filter or test with its arguments. */
export interface Applied {
  readonly name: string;
  readonly args: CallArguments;
}

export type Expression =
  | { readonly kind: "constant"; readonly value: Value }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "tuple" | "list"; readonly items: readonly Expression[] }
  | { readonly kind: "dict"; readonly pairs: readonly (readonly [key: Expression, value: Expression])[] }
  | {
      readonly kind: "conditional";
      readonly test: Expression;
      readonly then: Expression;
      readonly otherwise: Expression | undefined;
    }
  | { readonly kind: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | { readonly kind: "not"; readonly operand: Expression }
  | {
      readonly kind: "compare";
      readonly first: Expression;
      readonly rest: readonly (readonly [operator: string, operand: Expression])[];
    }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: "concatenate"; readonly parts: readonly Expression[] }
  | { readonly kind: "sign"; readonly operator: "-" | "+"; readonly operand: Expression }
  | { readonly kind: "attribute"; readonly object: Expression; readonly name: string }
  | { readonly kind: "item"; readonly object: Expression; readonly key: Expression }
  | { readonly kind: "slice"; readonly object: Expression; readonly bounds: SliceBounds }
  | { readonly kind: "call"; readonly callee: Expression; readonly args: CallArguments }
  | ({ readonly kind: "filter"; readonly operand: Expression } & Applied)
  | ({ readonly kind: "test"; readonly operand: Expression } & Applied);

export type AssignmentTarget =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "tuple"; readonly items: readonly AssignmentTarget[] }
  | { readonly kind: "namespace"; readonly name: string; readonly attribute: string };

export interface Macro {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly other: Expression | undefined }[];
  readonly body: Body;
  /** Those of `caller`, `kwargs` and `varargs` that the body uses. */
  readonly uses: ReadonlySet<string>;
}

export interface Loop {
  readonly kind: "for";
  readonly target: AssignmentTarget;
  readonly iterable: Expression;
  readonly test: Expression | undefined;
  readonly isRecursive: boolean;
  readonly usesLoop: boolean;
  readonly body: Body;
  readonly otherwise: Body;
}

type StatementParts =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "output"; readonly expression: Expression }
  | { readonly kind: "set"; readonly target: AssignmentTarget; readonly value: Expression }
  | {
      readonly kind: "set-block";
      readonly target: AssignmentTarget;
      readonly filters: readonly Applied[];
      readonly body: Body;
    }
  | {
      readonly kind: "if";
      readonly branches: readonly { readonly test: Expression; readonly body: Body }[];
      readonly otherwise: Body;
    }
  | Loop
  | { readonly kind: "macro"; readonly macro: Macro }
  | { readonly kind: "call-block"; readonly callee: Expression; readonly args: CallArguments; readonly caller: Macro }
  | { readonly kind: "filter-block"; readonly filters: readonly Applied[]; readonly body: Body }
  | {
      readonly kind: "with";
      readonly values: readonly { readonly target: AssignmentTarget; readonly value: Expression }[];
      readonly body: Body;
    }
  | { readonly kind: "block"; readonly name: string; readonly isScoped: boolean; readonly body: Body }
  | { readonly kind: "break" | "continue" }
  | { readonly kind: "refused"; readonly why: string };

export type TemplateStatement = StatementParts & { readonly line: number };
export type Body = readonly TemplateStatement[];

export interface Template {
  readonly body: Body;
  /** The bodies of its blocks, by name. */
  readonly blocks: ReadonlyMap<string, Body>;
}
