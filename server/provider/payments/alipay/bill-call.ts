/** Bills take two steps: a call that returns an address, and the ZIP file at that address. */
import { z } from "zod";
import { encodeGbk } from "../../../payment-wire/gbk.ts";
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import { HttpError } from "../../../http/http-error.ts";
import { pathOf, queryOf, type Middleware } from "../../../http/middleware.ts";
import { notesOf } from "../../../http/recording/exchange-notes.ts";
import type { Bills } from "../bills/bills.ts";
import { KeptFiles } from "../bills/kept-files.ts";
import type { Booking } from "../ledger/ledger.ts";
import { alipayAccount } from "./alipay-account.ts";
import { billLines, billSums, type BillPeriod } from "./bill-rows.ts";
import { writeZip } from "./bill-zip.ts";
import { invalidParameter, prepared, readContent, type CallAlipay } from "./call-alipay.ts";

interface Deps {
  readonly bills: Pick<Bills, "lines">;
  /** Unix time in ms. */
  readonly now: () => number;
}

const filePath = "/downloadBillFile.resource";

/** A day or a month at the platform. @throws RefusalAlipay */
function periodOf(date: string): BillPeriod {
  const start = Date.parse(`${date.length === 7 ? `${date}-01` : date}T00:00:00+08:00`);
  // Date.parse takes February 31 for March 3.
  if (Number.isNaN(start) || !spacedTime(start).startsWith(date)) throw invalidParameter("bill_date");
  const [year, month] = date.split("-").map(Number) as [number, number];
  const end = date.length === 7 ? Date.UTC(year, month) - 8 * 3_600_000 : start + 24 * 3_600_000;
  return { start, end };
}

function zipOf(bookings: readonly Booking[], date: string, period: BillPeriod, now: number): Buffer {
  const entry = (title: string, text: string) => ({
    name: encodeGbk(`${alipayAccount.sellerId}0156_${date.replaceAll("-", "")}_${title}.csv`),
    bytes: encodeGbk(text),
  });
  return writeZip([
    entry("业务明细", billLines(bookings, period, now)),
    entry("业务明细(汇总)", billSums(bookings, period, now)),
  ]);
}

export function createBillDownloads({ bills, now }: Deps) {
  const files = new KeptFiles(now);

  const call: CallAlipay = {
    name: "downloadbill",
    method: "alipay.data.dataservice.bill.downloadurl.query",
    prepare(request) {
      const fields = readContent(
        z.looseObject({ bill_type: z.enum(["trade"]), bill_date: z.string().regex(/^\d{4}-\d\d(?:-\d\d)?$/) }),
        request,
      );
      const period = periodOf(fields.bill_date);
      return prepared({
        async perform() {
          const bookings = await bills.lines(alipayAccount.sellerId, period.start, period.end);
          return files.keep(alipayAccount.sellerId, zipOf(bookings, fields.bill_date, period, now()));
        },
        view: (token) => ({ bill_download_url: `${request.origin}${filePath}?fileType=zip&fileId=${token}` }),
      });
    },
  };

  /** Sends a file to whoever has its address, as Alipay does. */
  const serve: Middleware = (req, res, next) => {
    if (pathOf(req) !== filePath) return next();
    notesOf(res).path = filePath;
    const bytes = files.take(alipayAccount.sellerId, new URLSearchParams(queryOf(req)).get("fileId") ?? "");
    if (!bytes) throw new HttpError(404, "not_found", "The bill's address has expired. Request the bill again.");
    res.writeHead(200, { "Content-Type": "application/zip", "Content-Length": bytes.length }).end(bytes);
  };

  return { call, serve };
}
