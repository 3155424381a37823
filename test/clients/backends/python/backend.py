"""
A merchant's backend by version 3 of WeChat Pay: Python's own library, and `cryptography`. It places, settles, refunds,
closes and reconciles orders. Its orders are in memory; yours belong in a database.
"""
import json, os, secrets, signal, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from wechat_pay import Refusal, call, fen, keys, open_notification, read_bill

port = int(os.environ["PORT"])
address = f"http://127.0.0.1:{port}"
# By number: amounts in fen, status UNPAID, PAID, CLOSED or REFUNDED.
orders = {}
# Orders that the platform may have taken, although no reply came. No buyer knows them, so the next one may have them.
unanswered = []
# Held for moments, never during a call.
lock = threading.Lock()
ask_after, longest_body = 2, 65_536


def order_path(number):
    return f"/v3/pay/transactions/out-trade-no/{number}"


# Payments


def place_at_platform(order):
    """Also renews what the buyer needs to pay: the platform takes the same order again."""
    content = {"appid": keys["app_id"], "mchid": keys["mch_id"], "description": "Tea", "out_trade_no": order["number"]}
    amount = {"total": order["amount"], "currency": "CNY"}
    content.update(notify_url=f"{address}/pay/notify", amount=amount)
    return call("POST", "/v3/pay/transactions/native", content)["code_url"]


def compare(order, said):
    """A wrong amount is for people to look at: nothing settles the order any more."""
    if (said["mchid"], said["appid"], said["out_trade_no"]) != (keys["mch_id"], keys["app_id"], order["number"]):
        raise Refusal(403, "somebody else's payment")
    if (said["amount"]["total"], said["amount"]["currency"]) != (order["amount"], "CNY"):
        order["doubtful"] = True
        raise Refusal(409, "another amount")


def settle(order, transaction=None):
    """Asks the platform, and settles a paid order once. Raises a refusal if the state is unknown."""
    found = call("GET", f"{order_path(order['number'])}?mchid={keys['mch_id']}")
    state = found["trade_state"]
    if state == "SUCCESS":
        compare(order, found)
        if transaction not in (None, found["transaction_id"]):
            raise Refusal(409, "another payment")
    with lock:
        if order["status"] == "PAID":
            return state
        if state in ("CLOSED", "REVOKED"):
            order["status"] = "CLOSED"
        elif state == "REFUND":
            order["status"] = "REFUNDED"
        elif state == "SUCCESS" and order["doubtful"]:
            raise Refusal(409, "a person has to look at this order")
        elif state == "SUCCESS":
            order.update(status="PAID", transaction=found["transaction_id"], paid_at=found["success_time"])
            order["settlements"] += 1
    return state


# Refunds


def sum_of(order, is_counted):
    return sum(refund["amount"] for refund in order["refunds"] if is_counted(refund["status"]))


def refund_of(order, amount):
    """One number for each refund: a repeat after an error has the same."""
    with lock:
        for refund in order["refunds"]:
            if not refund["answered"] and refund["amount"] == amount and refund["status"] != "CLOSED":
                return refund
        if sum_of(order, lambda status: status != "CLOSED") + amount > order["amount"]:
            raise Refusal(409, "more than the order")
        number = f"{order['number']}-{len(order['refunds']) + 1}"
        refund = {"number": number, "amount": amount, "status": "REQUESTED", "answered": False, "created_at": ""}
        order["refunds"].append(refund)
        return refund


def refund_at_platform(order, refund):
    content = {"out_trade_no": order["number"], "out_refund_no": refund["number"]}
    amount = {"refund": refund["amount"], "total": order["amount"], "currency": "CNY"}
    content.update(notify_url=f"{address}/pay/refund-notify", amount=amount)
    return call("POST", "/v3/refund/domestic/refunds", content)


def ask_refund(refund):
    note(refund, call("GET", f"/v3/refund/domestic/refunds/{refund['number']}"))


def note(refund, found):
    """A late reply must not replace the end of a refund."""
    with lock:
        if found["status"] != "PROCESSING" or refund["status"] == "REQUESTED":
            refund.update(status=found["status"], created_at=found["create_time"])


# The bill


def reconcile(date):
    differences, seen = [], set()
    for line in read_bill(date):
        order = orders.get(line["商户订单号"], {"status": "", "refunds": []})
        if line["交易状态"] == "SUCCESS":
            seen.add(line["商户订单号"])
            paid = (fen(line["订单金额"]), line["微信订单号"])
            is_same = order["status"] == "PAID" and (order["amount"], order["transaction"]) == paid
        else:
            seen.add(line["商户退款单号"])
            one = (line["商户退款单号"], fen(line["申请退款金额"]))
            is_same = one in [(refund["number"], refund["amount"]) for refund in order["refunds"]]
        if not is_same:
            differences.append({"number": line["商户订单号"], "why": "the bill differs"})
    own = [(order["number"], order["paid_at"]) for order in orders.values()]
    refunds = [refund for order in orders.values() for refund in order["refunds"] if refund["status"] != "CLOSED"]
    own += [(refund["number"], refund["created_at"]) for refund in refunds]
    missing = [number for number, at in own if at.startswith(date) and number not in seen]
    return differences + [{"number": number, "why": "not in the bill"} for number in missing]


# What the backend answers


def order_of(number):
    if number not in orders:
        raise Refusal(404, "no such order")
    return orders[number]


def take_payment(said):
    order = order_of(said["out_trade_no"])
    compare(order, said)
    if order["status"] != "PAID" and settle(order, said["transaction_id"]) in ("NOTPAY", "USERPAYING"):
        raise Refusal(503, "not paid yet")
    if order["status"] == "PAID" and order["transaction"] != said["transaction_id"]:
        raise Refusal(409, "another payment")


def take_refund(said):
    for refund in order_of(said["out_trade_no"])["refunds"]:
        if (refund["number"], refund["amount"]) == (said["out_refund_no"], said["amount"]["refund"]):
            if said["mchid"] == keys["mch_id"]:
                return ask_refund(refund)
    raise Refusal(404, "no such refund")


def amount_of(body):
    amount = json.loads(body).get("amount")
    if type(amount) is not int or amount < 1:
        raise Refusal(400, "amount: fen, a whole number")
    return amount


def place(amount):
    with lock:
        before = next((order for order in unanswered if order["amount"] == amount), None)
        if before:
            unanswered.remove(before)
    order = before or {"number": f"SHOP{secrets.token_hex(10)}", "amount": amount, "status": "UNPAID", "refunds": []}
    try:
        code_url = place_at_platform(order)
    except Refusal:
        unanswered.append(order)
        raise
    order.update(settlements=0, doubtful=False, paid_at="", placed_at=time.monotonic())
    orders[order["number"]] = order
    return 201, {**shown(order), "code_url": code_url}


def shown(order):
    shown = {name: order[name] for name in ("number", "amount", "status", "settlements")}
    return {**shown, "refunded": sum_of(order, lambda status: status == "SUCCESS")}


def expect(order, status):
    if order["status"] != status:
        raise Refusal(409, f"the order is {order['status']}")


def close(order):
    expect(order, "UNPAID")
    try:
        call("POST", f"{order_path(order['number'])}/close", {"mchid": keys["mch_id"]})
        order["status"] = "CLOSED"
    except Refusal as refusal:
        if refusal.code != "ORDERPAID":
            raise
        settle(order)
    return 200, shown(order)


def give_back(order, amount):
    expect(order, "PAID")
    refund = refund_of(order, amount)
    note(refund, refund_at_platform(order, refund))
    refund["answered"] = True
    return 201, {"number": refund["number"], "amount": amount, "status": refund["status"]}


def answer(method, path, headers, body):
    """The status, and what is sent as JSON."""
    if (method, path) == ("POST", ["pay", "notify"]):
        return 204, take_payment(open_notification(headers, body))
    if (method, path) == ("POST", ["pay", "refund-notify"]):
        return 204, take_refund(open_notification(headers, body))
    if (method, path) == ("POST", ["orders"]):
        return place(amount_of(body))
    if (method, path) == ("POST", ["reconcile"]):
        return 200, {"differences": reconcile(json.loads(body)["date"])}
    if path[0] != "orders" or len(path) < 2:
        raise Refusal(404, "nothing here")
    order = order_of(path[1])
    if (method, path[2:]) == ("GET", []):
        return 200, shown(order)
    if (method, path[2:]) == ("POST", ["pay"]):
        expect(order, "UNPAID")
        return 200, {**shown(order), "code_url": place_at_platform(order)}
    if (method, path[2:]) == ("POST", ["close"]):
        return close(order)
    if (method, path[2:]) == ("POST", ["refunds"]):
        return give_back(order, amount_of(body))
    raise Refusal(404, "nothing here")


class Backend(BaseHTTPRequestHandler):
    def handle_any(self):
        length = int(self.headers["Content-Length"] or 0)
        try:
            if length > longest_body:
                self.close_connection = True
                raise Refusal(413, "too long")
            body = self.rfile.read(length)
            status, content = answer(self.command, self.path.split("/")[1:], self.headers, body)
        except Exception as failure:
            # Any refusal: the platform sends a notification again later.
            is_known = isinstance(failure, Refusal)
            status, content = failure.status if is_known else 500, {"code": "FAIL", "message": "cannot read it"}
            if is_known:
                content["message"] = str(failure)
        sent = b"" if status == 204 else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    do_GET = do_POST = handle_any

    def log_message(self, *_):
        pass


def ask(work, *subject):
    try:
        work(*subject)
    except Exception:
        pass  # It is asked again.


def find_what_no_notification_told():
    while True:
        time.sleep(ask_after / 2)
        for order in list(orders.values()):
            # Most notifications come at once.
            if order["status"] == "UNPAID" and not order["doubtful"] and time.monotonic() - order["placed_at"] > ask_after:
                threading.Thread(target=ask, args=(settle, order), daemon=True).start()
            for refund in order["refunds"]:
                if refund["status"] in ("REQUESTED", "PROCESSING"):
                    threading.Thread(target=ask, args=(ask_refund, refund), daemon=True).start()


signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
server = ThreadingHTTPServer(("127.0.0.1", port), Backend)
threading.Thread(target=find_what_no_notification_told, daemon=True).start()
print("listening", flush=True)
server.serve_forever()
