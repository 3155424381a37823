/** The tests by which an operation of contracts and deductions of version 3 may be called exact. */
import type { Evidence, TestReference } from "./operation-evidence.ts";

const ownPapay = (title: string): TestReference => ["http/payments/papay/papay-v3.test.ts", title];
const axiosPapay = (title: string): TestReference => ["contract/payment-sdk-axios-papay.test.ts", title];
const papayRefused = ownPapay("refuses what a contract with a date does not allow, with the platform's codes");
const papayByAxios = axiosPapay("axios-plugin signs, books, deducts, announces and ends contracts at %s");
const contracts: Evidence = {
  refusals: papayRefused,
  lives: [
    papayByAxios,
    ownPapay("a contract with a date is signed, booked on the day before, deducted on its day, and ends with it"),
  ],
};
const partnerContracts: Evidence = {
  refusals: papayRefused,
  lives: [
    papayByAxios,
    ownPapay(
      "a service provider signs, books, deducts and ends contracts for its sub-merchant, and no other one sees them",
    ),
  ],
};
const announcements: Evidence = {
  refusals: ownPapay("refuses announcements at night, by another merchant, and of contracts that are not in force"),
  lives: [
    papayByAxios,
    ownPapay("deducts twelve hours after the signing only on the days after an announcement, and at most its amount"),
  ],
};
const scannedContract = ownPapay(
  "prepares a contract for a scanned code, and deducts for an account of another system",
);
const sceneContracts: Evidence = {
  refusals: scannedContract,
  lives: [axiosPapay("axios-plugin prepares a contract for a scanned code"), scannedContract],
};
const scheduledSigning = "/v3/papay/scheduled-deduct-sign";

export const evidenceOfPapay: Readonly<Record<string, Evidence>> = {
  ...Object.fromEntries(
    ["app", "h5", "jsapi", "mini-program"].flatMap((way) => [
      [`POST ${scheduledSigning}/contracts/pre-entrust-sign/${way}`, contracts],
      [`POST ${scheduledSigning}/partner/contracts/pre-entrust-sign/${way}`, partnerContracts],
    ]),
  ),
  "POST /v3/papay/sign/contracts/pre-entrust-sign": sceneContracts,
  "GET /v3/papay/sign/contracts/plan-id/{plan_id}/out-contract-code/{out_contract_code}": contracts,
  "POST /v3/papay/sign/contracts/plan-id/{plan_id}/out-contract-code/{out_contract_code}/terminate": contracts,
  "GET /v3/papay/sign/partner/contracts/plan-id/{plan_id}/out-contract-code/{out_contract_code}": partnerContracts,
  "POST /v3/papay/sign/partner/contracts/plan-id/{plan_id}/out-contract-code/{out_contract_code}/terminate":
    partnerContracts,
  "POST /v3/papay/pay/schedules/contract-id/{contract_id}/schedule": contracts,
  "GET /v3/papay/pay/schedules/contract-id/{contract_id}": contracts,
  "POST /v3/papay/pay/partner/schedules/contract-id/{contract_id}/schedule": partnerContracts,
  "GET /v3/papay/pay/partner/schedules/contract-id/{contract_id}": partnerContracts,
  "POST /v3/papay/pay/transactions/apply": contracts,
  "POST /v3/papay/pay/partner/transactions/apply": partnerContracts,
  "POST /v3/papay/contracts/{contract_id}/notify": announcements,
  "POST /v3/papay/contracts/{contract_id}/fail-notify": announcements,
  "POST /v3/partner-papay/contracts/{contract_id}/notify": partnerContracts,
  "POST /v3/partner-papay/contracts/{contract_id}/fail-notify": partnerContracts,
};
