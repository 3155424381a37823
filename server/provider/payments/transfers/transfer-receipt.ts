/** The receipt of a transfer: a file of one page that names its numbers. */
import { offsetTime } from "../../../payment-wire/provider-time.ts";
import { yuanText } from "../../../payment-wire/yuan.ts";
import type { TransferRow } from "./transfer-tables.ts";

/** A transfer always gives the same bytes, whose digest the platform states. Numbers and times need ASCII only. */
export function transferReceipt({ mch_id, out_bill_no, transfer_bill_no, amount, updated_at }: TransferRow): Buffer {
  const lines = [
    "Electronic receipt of a simulated transfer",
    `Merchant ${mch_id}`,
    `Merchant's number ${out_bill_no}`,
    `Platform's number ${transfer_bill_no}`,
    `Amount ${yuanText(amount)} CNY`,
    `Paid at ${offsetTime(updated_at)}`,
  ];
  const page = `BT /F 12 Tf 50 780 Td 18 TL ${lines.map((line) => `(${line}) Tj T*`).join(" ")} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>",
    `<< /Length ${String(page.length)} >>\nstream\n${page}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${String(at + 1)} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = String(objects.length + 1);
  const end = `trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${String(file.length)}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${table}${end}`, "latin1");
}
