import { Tooltip } from "@mantine/core";
import type { TFunction } from "i18next";
import { Box, MemoryStick, ScrollText, Server, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ServedModel, ModelInMemory } from "../../../server/contract/model/model-client.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import type { Column } from "../../ui/table/table-columns.ts";
import { RowTime } from "../../ui/marks/row-time.tsx";
import { FitBar } from "./inspector/fit-bar.tsx";
import { RemoteBadge } from "./inspector/remote-view.tsx";
import { useFit } from "./use-models.ts";
import classes from "./models.module.css";

/** An installed model, with its memory while it is loaded. */
export interface ModelRow {
  model: ServedModel;
  loaded: ModelInMemory | undefined;
}

/** All fit beside the inspector at a width of 1440 px. */
export const modelColumns = (t: TFunction): readonly Column<ModelRow>[] => [
  {
    key: "name",
    header: t("models.name"),
    track: "minmax(122px, 3fr)",
    sortBy: ({ model }) => model.name,
    cell: ({ model }) => <Name model={model} />,
  },
  {
    key: "size",
    sortBy: ({ model }) => model.size,
    header: t("models.size"),
    track: "minmax(68px, 76px)",
    align: "end",
    cell: ({ model }) => model.size > 0 && <Bytes count={model.size} />,
  },
  {
    key: "parameters",
    sortBy: ({ model }) => parameterCount(model.details.parameter_size),
    header: t("models.parameterSize"),
    track: "minmax(80px, 84px)",
    align: "end",
    wideOnly: true,
    cell: ({ model }) => <span className={classes.figure}>{model.details.parameter_size}</span>,
  },
  {
    key: "quantization",
    sortBy: ({ model }) => model.details.quantization_level,
    header: t("models.quantization"),
    track: "minmax(86px, 1fr)",
    wideOnly: true,
    cell: ({ model }) => <span className={classes.wire}>{model.details.quantization_level}</span>,
  },
  {
    key: "memory",
    header: t("models.memory"),
    track: "minmax(100px, 2fr)",
    narrowTrack: "136px",
    cell: (row) => <Place row={row} />,
  },
  {
    key: "speed",
    header: t("models.speed"),
    track: "minmax(88px, 124px)",
    align: "end",
    wideOnly: true,
    cell: ({ model }) => !model.upstreams && !isScripted(model) && <Speed model={model.name} />,
  },
  {
    key: "modified",
    sortBy: ({ model }) => model.modified_at,
    header: t("models.modified"),
    track: "minmax(88px, 96px)",
    wideOnly: true,
    cell: ({ model }) => (
      <span className={classes.dim}>
        <RowTime iso={model.modified_at} />
      </span>
    ),
  },
];

/** "494.03M" is 494,030,000. */
function parameterCount(text: string): number | undefined {
  const [, count, unit = ""] = /^([\d.]+)([KMBT]?)$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * 1000 ** " KMBT".indexOf(unit || " ");
}

/** Whether it answers by rules. */
export const isScripted = ({ details }: Pick<ServedModel, "details">) => details.format === "rules";

/** Where it runs: at an upstream, by rules, or in the memory here. */
function Place({ row }: { row: ModelRow }) {
  const { t } = useTranslation();
  if (row.model.upstreams) return <RemoteBadge model={row.model} />;
  if (!isScripted(row.model)) return <Memory row={row} />;
  return (
    <Badge tone="info" icon={ScrollText}>
      {t("models.scripted")}
    </Badge>
  );
}

function Name({ model }: { model: ServedModel }) {
  const { t } = useTranslation();
  const Icon = model.upstreams ? Server : isScripted(model) ? ScrollText : Box;
  const warning = model.warnings && t("models.warned", { text: model.warnings.join(" ") });
  return (
    <span className={classes.name}>
      <Icon size={14} aria-hidden />
      <span title={model.name}>{model.name}</span>
      {warning !== undefined && (
        <Tooltip label={warning} multiline maw={360}>
          <TriangleAlert size={13} className={classes.warning} role="img" aria-label={warning} />
        </Tooltip>
      )}
    </span>
  );
}

/** The memory that the model uses, or would use if it were loaded. */
function Memory({ row: { model, loaded } }: { row: ModelRow }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data: fit } = useFit(model.name);
  return (
    <span className={classes.memory}>
      {fit && <FitBar fit={fit} />}
      {loaded ? (
        <Badge tone="up" icon={MemoryStick}>
          {formats.bytes(loaded.size)}
        </Badge>
      ) : (
        fit && (
          <span className={classes.dim}>
            {t("models.needs", { required: formats.bytes(fit.required), available: formats.bytes(fit.available) })}
          </span>
        )
      )}
    </span>
  );
}

/** How fast it has answered since the model service started. */
function Speed({ model }: { model: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const rate = useFit(model).data?.tokens_per_second ?? undefined;
  if (rate === undefined) return <span className={classes.dim}>{t("models.noSpeed")}</span>;
  return <span className={classes.figure}>{t("models.rate", { rate: formats.number(rate, 1) })}</span>;
}

function Bytes({ count }: { count: number }) {
  return useFormats().bytes(count);
}
