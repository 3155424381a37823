import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { buyerTradeType, type BuyerTradeType } from "../../../../server/contract/provider/payment-terms.ts";
import { Notice } from "../../../ui/dialogs/notice.tsx";
import { Segmented } from "../../../ui/forms/segmented.tsx";
import { AmountField } from "../amount-field.tsx";
import { buyerAnswers, usePlaceOrder, type BuyerAnswer } from "./use-place-order.ts";
import { useOneAtATime } from "../../../api/actions/use-one-at-a-time.ts";
import classes from "../payments.module.css";

/** Not the console's own user, whose orders are hidden at first. */
const firstBuyer = "ada";

/** Places an order like a client: logged in, by the application server's own route. */
export function NewOrderForm(props: {
  type: BuyerTradeType;
  onType: (type: BuyerTradeType) => void;
  onClose: () => void;
  onPlaced: (outTradeNo: string) => void;
}) {
  const { t } = useTranslation();
  const { type } = props;
  const [user, setUser] = useState(firstBuyer);
  const [description, setDescription] = useState<string>(t("payments.exampleGoods"));
  const [amount, setAmount] = useState<number | undefined>(101);
  const [answer, setAnswer] = useState<BuyerAnswer>("paid");
  const place = usePlaceOrder(props.onPlaced);
  const submit = useOneAtATime(place.mutateAsync);
  return (
    <Modal
      opened
      onClose={props.onClose}
      closeOnClickOutside={false}
      title={t("payments.newOrder")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (amount !== undefined) submit({ user, type, description, amount, answer });
        }}
      >
        <Segmented
          label="trade_type"
          value={type}
          choices={buyerTradeType.options.map((value) => ({ value, label: value }))}
          onChange={props.onType}
        />
        <p className={classes.hint}>{t(`payments.typeMeans.${type}`)}</p>
        <TextInput
          label={t("payments.description")}
          required
          maxLength={127}
          value={description}
          onChange={(change) => setDescription(change.currentTarget.value)}
        />
        <AmountField
          label={t("payments.amount")}
          showsLabel
          required
          fen={amount}
          most={1_000_000_000}
          onChange={setAmount}
        />
        <TextInput
          label={t("payments.buyer")}
          description={t("payments.buyerHint")}
          required
          pattern="[\w.\-]{1,64}"
          value={user}
          onChange={(change) => setUser(change.currentTarget.value)}
        />
        {type === "MICROPAY" && (
          <NativeSelect
            label={t("payments.codeDoes")}
            value={answer}
            onChange={(change) => setAnswer(buyerAnswers.find((one) => one === change.currentTarget.value) ?? "paid")}
            data={buyerAnswers.map((value) => ({ value, label: t(`payments.code.${value}`) }))}
          />
        )}
        {place.error && <Notice kind="error">{place.error.message}</Notice>}
        <div className={classes.buttons}>
          <Button onClick={props.onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="filled" loading={place.isPending}>
            {t("payments.place")}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
