import { Tooltip } from "@mantine/core";
import type { TFunction } from "i18next";
import { Box, MemoryStick, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { InstalledModel, LoadedModel } from "../../../server/contract/model/model-client.ts";
import { useFormats } from "../../i18n/formats-context.tsx";
import { Badge } from "../../ui/badge.tsx";
import type { Column } from "../../ui/table/data-table.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import classes from "./models.module.css";

/** An installed model, with its memory while it is loaded. */
export interface ModelRow {
  model: InstalledModel;
  loaded: LoadedModel | undefined;
}

export const modelColumns = (t: TFunction): readonly Column<ModelRow>[] => [
  { key: "name", header: t("models.name"), track: "minmax(130px, 3fr)", cell: ({ model }) => <Name model={model} /> },
  {
    key: "size",
    header: t("models.size"),
    track: "76px",
    align: "end",
    cell: ({ model }) => <Bytes count={model.size} />,
  },
  {
    key: "parameters",
    header: t("models.parameterSize"),
    track: "84px",
    align: "end",
    wideOnly: true,
    cell: ({ model }) => <span className={classes.figure}>{model.details.parameter_size}</span>,
  },
  {
    key: "quantization",
    header: t("models.quantization"),
    track: "minmax(76px, 1fr)",
    wideOnly: true,
    cell: ({ model }) => <span className={classes.wire}>{model.details.quantization_level}</span>,
  },
  {
    key: "family",
    header: t("models.family"),
    track: "minmax(70px, 1fr)",
    wideOnly: true,
    cell: ({ model }) => <span className={classes.wire}>{model.details.family}</span>,
  },
  {
    key: "memory",
    header: t("models.memory"),
    track: "minmax(100px, 1fr)",
    narrowTrack: "96px",
    cell: ({ loaded }) =>
      loaded && (
        <Badge tone="up" icon={MemoryStick}>
          <Bytes count={loaded.size} />
        </Badge>
      ),
  },
  {
    key: "modified",
    header: t("models.modified"),
    track: "84px",
    wideOnly: true,
    cell: ({ model }) => (
      <span className={classes.dim}>
        <RelativeTime iso={model.modified_at} />
      </span>
    ),
  },
];

function Name({ model }: { model: InstalledModel }) {
  const { t } = useTranslation();
  const warning = model.warnings && t("models.warned", { text: model.warnings.join(" ") });
  return (
    <span className={classes.name}>
      <Box size={14} aria-hidden />
      <span title={model.name}>{model.name}</span>
      {warning !== undefined && (
        <Tooltip label={warning} multiline maw={360}>
          <TriangleAlert size={13} className={classes.warning} role="img" aria-label={warning} />
        </Tooltip>
      )}
    </span>
  );
}

function Bytes({ count }: { count: number }) {
  return useFormats().bytes(count);
}
