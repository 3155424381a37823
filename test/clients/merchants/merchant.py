"""A client by version 2, HMAC-SHA256, with nothing but Python's own library."""
import hashlib, hmac, json, os, ssl, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from xml.etree import ElementTree
from xml.sax.saxutils import escape

env = os.environ
key = env["API_V2_KEY"]
number = env["OUT_TRADE_NO"]
certified = ssl.create_default_context()
certified.load_cert_chain(env["MERCHANT_CERTIFICATE"], env["MERCHANT_KEY"])


def sign(fields):
    text = "&".join(f"{name}={fields[name]}" for name in sorted(fields) if name != "sign" and fields[name])
    return hmac.new(key.encode(), f"{text}&key={key}".encode(), hashlib.sha256).hexdigest().upper()


def read(xml):
    return {element.tag: element.text or "" for element in ElementTree.fromstring(xml)}


def write(fields):
    return f"<xml>{''.join(f'<{name}>{escape(text)}</{name}>' for name, text in fields.items())}</xml>".encode()


def call(path, **fields):
    fields |= {"appid": env["APP_ID"], "mch_id": env["MCH_ID"], "nonce_str": uuid.uuid4().hex, "sign_type": "HMAC-SHA256"}
    body = write({**fields, "sign": sign(fields)})
    with urllib.request.urlopen(f"https://api.mch.weixin.qq.com{path}", body, context=certified) as reply:
        answer = read(reply.read())
    if answer.get("result_code") != "SUCCESS" or answer["sign"] != sign(answer):
        raise SystemExit(f"{path}: {answer}")
    return answer


class Receiver(BaseHTTPRequestHandler):
    told = None

    def do_POST(self):
        fields = read(self.rfile.read(int(self.headers["Content-Length"])))
        genuine = fields.get("sign") == sign(fields)
        if genuine:
            Receiver.told = fields["transaction_id"]
        body = write({"return_code": "SUCCESS" if genuine else "FAIL"})
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)
call(
    "/pay/unifiedorder",
    out_trade_no=number,
    body="Tea & <two>",
    total_fee="101",
    trade_type="APP",
    spbill_create_ip="127.0.0.1",
    notify_url=f"http://127.0.0.1:{receiver.server_port}/",
)
while Receiver.told is None:
    receiver.handle_request()
state = call("/pay/orderquery", out_trade_no=number)["trade_state"]
call("/secapi/pay/refund", out_trade_no=number, out_refund_no=f"R-{number}", total_fee="101", refund_fee="41")
refund = call("/pay/refundquery", out_refund_no=f"R-{number}")["refund_status_0"]
print(json.dumps({"notified": Receiver.told, "state": state, "refund": refund}))
