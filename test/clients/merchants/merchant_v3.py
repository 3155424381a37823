"""
A client by version 3, with nothing but Python's own library. It refuses replies without Wechatpay-Signature-Type, as
wechatpayv3 does, reads header names by the case that the platform writes, and takes the key that Wechatpay-Serial names.
"""
import base64, hashlib, json, os, sys, time, urllib.error, urllib.request, uuid
from http.server import BaseHTTPRequestHandler, HTTPServer

env = os.environ
api = env.get("API", "https://api.mch.weixin.qq.com")
# Sent as Wechatpay-Serial, by which replies have to be signed then.
named = env.get("NAMED_KEY")
number = env["OUT_TRADE_NO"]
sha256_prefix = bytes.fromhex("3031300d060960864801650304020105000420")


def elements(der):
    """The contents of a sequence of DER elements."""
    found = []
    while der:
        length, start = der[1], 2
        if length & 0x80:
            start += length & 0x7F
            length = int.from_bytes(der[2:start], "big")
        found.append(der[start : start + length])
        der = der[start + length :]
    return found


def integers(der):
    return [int.from_bytes(one, "big") for one in elements(elements(der)[0])]


def private_key(pem):
    """Modulus and private exponent."""
    der = base64.b64decode("".join(pem.splitlines()[1:-1]))
    numbers = integers(elements(elements(der)[0])[2])
    return numbers[1], numbers[3]


def public_key(text):
    """Modulus and public exponent."""
    return integers(elements(elements(base64.b64decode(text))[0])[1][1:])


def padded(message):
    digest = sha256_prefix + hashlib.sha256(message.encode()).digest()
    return b"\0\1" + b"\xff" * (253 - len(digest)) + b"\0" + digest


with open(env["MERCHANT_KEY"]) as file:
    own_key = private_key(file.read())
platform = {serial: public_key(text) for serial, text in (entry.split(":") for entry in env["PLATFORM_KEYS"].split(" "))}


def sign(message):
    modulus, exponent = own_key
    return base64.b64encode(pow(int.from_bytes(padded(message), "big"), exponent, modulus).to_bytes(256, "big")).decode()


def is_genuine(headers, body):
    """headers: a dict, which tells the cases of names apart"""
    if headers.get("Wechatpay-Signature-Type") != "WECHATPAY2-SHA256-RSA2048" or headers["Wechatpay-Serial"] not in platform:
        return False
    modulus, exponent = platform[headers["Wechatpay-Serial"]]
    signature = int.from_bytes(base64.b64decode(headers["Wechatpay-Signature"]), "big")
    message = f"{headers['Wechatpay-Timestamp']}\n{headers['Wechatpay-Nonce']}\n{body}\n"
    return pow(signature, exponent, modulus).to_bytes(256, "big") == padded(message)


def call(method, path, content=None, status=200):
    body = "" if content is None else json.dumps(content)
    stamp, nonce = str(int(time.time())), uuid.uuid4().hex
    values = {
        "mchid": env["MCH_ID"],
        "nonce_str": nonce,
        "timestamp": stamp,
        "serial_no": env["MERCHANT_SERIAL"],
        "signature": sign(f"{method}\n{path}\n{stamp}\n{nonce}\n{body}\n"),
    }
    headers = {
        "Authorization": "WECHATPAY2-SHA256-RSA2048 " + ",".join(f'{name}="{text}"' for name, text in values.items()),
        "Accept": "application/json",
        "Content-Type": "application/json",
        "User-Agent": "merchant_v3.py",
    }
    if named:
        headers["Wechatpay-Serial"] = named
    request = urllib.request.Request(api + path, body.encode() if body else None, headers, method=method)
    try:
        reply = urllib.request.urlopen(request)
    except urllib.error.HTTPError as refusal:
        reply = refusal
    with reply:
        answer, headers = reply.read().decode(), dict(reply.headers.items())
    if reply.status != status or not is_genuine(headers, answer):
        raise SystemExit(f"{path}: {reply.status} {headers} {answer}")
    if named and headers["Wechatpay-Serial"] != named:
        raise SystemExit(f"{path} is signed by {headers['Wechatpay-Serial']}")
    return json.loads(answer) if answer else None


class Receiver(BaseHTTPRequestHandler):
    is_told = False

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        genuine = is_genuine(dict(self.headers.items()), body)
        self.send_response(204 if genuine else 401)
        self.send_header("Content-Length", "0")
        self.end_headers()
        Receiver.is_told = Receiver.is_told or genuine

    def log_message(self, *_):
        pass


receiver = HTTPServer(("127.0.0.1", 0), Receiver)


def place(out_trade_no):
    order = {"appid": env["APP_ID"], "mchid": env["MCH_ID"], "out_trade_no": out_trade_no, "description": "Tea"}
    address = f"http://127.0.0.1:{receiver.server_port}/"
    call("POST", "/v3/pay/transactions/native", {**order, "notify_url": address, "amount": {"total": 101}})


orders = "/v3/pay/transactions/out-trade-no"
call("GET", f"{orders}/NONE-{number}?mchid={env['MCH_ID']}", status=404)
place(f"C-{number}")
call("POST", f"{orders}/C-{number}/close", {"mchid": env["MCH_ID"]}, status=204)
place(number)
while not Receiver.is_told:
    receiver.handle_request()
paid = call("GET", f"{orders}/{number}?mchid={env['MCH_ID']}")
refund = {"out_trade_no": number, "out_refund_no": f"R-{number}", "amount": {"total": 101, "refund": 41, "currency": "CNY"}}
call("POST", "/v3/refund/domestic/refunds", refund)
status = call("GET", f"/v3/refund/domestic/refunds/R-{number}")["status"]
print(json.dumps({"notified": paid["transaction_id"], "state": paid["trade_state"], "refund": status}))
