import { useTranslation } from "react-i18next";
import { useFormats } from "../../../i18n/formats-context.tsx";
import { Badge } from "../../../ui/marks/badge.tsx";
import { Fields } from "../../../ui/forms/fields.tsx";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { QueryFailure } from "../../../ui/dialogs/query-failure.tsx";
import { RawToggle } from "../../../ui/code/raw-view.tsx";
import { ShortId } from "../../../ui/marks/short-id.tsx";
import { LoadForm } from "./load-form.tsx";
import { isScripted, type ModelRow } from "../model-columns.tsx";
import { ModelTextsView } from "./model-texts.tsx";
import { ModelTools } from "./model-tools.tsx";
import { RemoteView } from "./remote-view.tsx";
import { useModelDetails } from "../use-models.ts";
import classes from "../models.module.css";

/** An installed model: details, whether it fits, actions, and its texts. */
export function ModelInspector(props: {
  row: ModelRow;
  installed: readonly string[];
  onOpen: (name: string) => void;
  onRemoved: () => void;
  onCreate: () => void;
}) {
  const { t } = useTranslation();
  const { model, loaded } = props.row;
  const details = useModelDetails(model.name);
  const { data: visible } = details;
  return (
    <RawToggle value={visible ?? model} name={model.name}>
      <div className={classes.inspector}>
        {model.warnings?.map((warning) => (
          <Notice key={warning} kind="info">
            {t("models.warned", { text: warning })}
          </Notice>
        ))}
        {model.upstreams ? (
          <RemoteView model={model} isLoaded={loaded !== undefined} />
        ) : isScripted(model) ? (
          <p className={classes.note}>{t("models.scriptedNote")}</p>
        ) : (
          <LoadForm model={model.name} isLoaded={loaded !== undefined} />
        )}
        <Facts row={props.row} />
        <ModelTools
          name={model.name}
          installed={props.installed}
          canChat={model.capabilities?.includes("completion") ?? true}
          onOpen={props.onOpen}
          onRemoved={props.onRemoved}
          onCreate={props.onCreate}
        />
        <QueryFailure query={details} />
        {visible && <ModelTextsView shown={visible} />}
      </div>
    </RawToggle>
  );
}

function Facts({ row: { model } }: { row: ModelRow }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { details, capabilities = [] } = model;
  /** An upstream may not tell them. */
  const text = (name: string, value: string, wire = false) => (value === "" ? [] : [{ name, value, wire }]);
  const known = (name: string, value: number | undefined) =>
    value === undefined ? [] : [{ name, value: formats.number(value) }];
  return (
    <Fields
      items={[
        ...(model.size > 0 ? [{ name: t("models.size"), value: formats.bytes(model.size) }] : []),
        ...text(t("models.parameterSize"), details.parameter_size),
        ...text(t("models.quantization"), details.quantization_level, true),
        ...text(t("models.family"), (details.families ?? [details.family]).join(", "), true),
        ...text(t("models.format"), details.format, true),
        ...known(t("models.contextLength"), details.context_length),
        ...known(t("models.embeddingLength"), details.embedding_length),
        {
          name: t("models.capabilities"),
          value: (
            <span className={classes.badges}>
              {capabilities.map((one) => (
                <Badge key={one} tone="neutral">
                  {one}
                </Badge>
              ))}
            </span>
          ),
        },
        { name: t("models.digest"), value: <ShortId value={model.digest} name={t("models.digest")} />, wire: true },
        {
          name: t("models.modified"),
          value: <time dateTime={model.modified_at}>{formats.exact(model.modified_at)}</time>,
        },
      ]}
    />
  );
}
