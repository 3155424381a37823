"""The API of WeChat Pay, version 3: signed calls, verified replies and notifications, and the bill of a day."""
import base64, gzip, hashlib, json, os, secrets, time, urllib.error, urllib.parse, urllib.request

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

platform = os.environ["HEARTH_PROVIDER_URL"]
# With the real platform these are your own merchant's keys.
keys = json.load(urllib.request.urlopen(f"{platform}/sim/credentials"))
own_key = serialization.load_pem_private_key(keys["merchant_private_key"].encode(), None)
# By serial. While a merchant switches to the platform's public key, either may sign.
certificate = x509.load_pem_x509_certificate(keys["platform_certificate"].encode())
platform_keys = {keys["platform_serial"]: certificate.public_key()}
if "platform_public_key" in keys:
    platform_keys[keys["platform_public_key_id"]] = serialization.load_pem_public_key(keys["platform_public_key"].encode())
call_timeout, max_age = 3, 300


class Refusal(Exception):
    def __init__(self, status, message, code=None):
        super().__init__(message)
        self.status, self.code = status, code


def authorization(method, target, body):
    stamp, nonce = str(int(time.time())), secrets.token_hex(16)
    message = f"{method}\n{target}\n{stamp}\n{nonce}\n{body}\n"
    values = {
        "mchid": keys["mch_id"],
        "nonce_str": nonce,
        "timestamp": stamp,
        "serial_no": keys["merchant_serial"],
        "signature": base64.b64encode(own_key.sign(message.encode(), PKCS1v15(), hashes.SHA256())).decode(),
    }
    return "WECHATPAY2-SHA256-RSA2048 " + ",".join(f'{name}="{text}"' for name, text in values.items())


def is_genuine(headers, body):
    """Whether the platform signed the body a short time ago."""
    key, stamp = platform_keys.get(headers["Wechatpay-Serial"]), headers["Wechatpay-Timestamp"]
    if key is None or not (stamp or "").isdigit() or abs(time.time() - int(stamp)) > max_age:
        return False
    message = f"{stamp}\n{headers['Wechatpay-Nonce']}\n".encode() + body + b"\n"
    try:
        key.verify(base64.b64decode(headers["Wechatpay-Signature"] or ""), message, PKCS1v15(), hashes.SHA256())
        return True
    except (InvalidSignature, ValueError):
        return False


def send(method, target, content=None):
    body = "" if content is None else json.dumps(content)
    headers = {"Authorization": authorization(method, target, body), "Content-Type": "application/json"}
    headers["Accept"] = "application/json"
    request = urllib.request.Request(platform + target, body.encode() or None, headers, method=method)
    try:
        reply = urllib.request.urlopen(request, timeout=call_timeout)
    except urllib.error.HTTPError as refusal:
        reply = refusal
    with reply:
        return reply.status, reply.headers, reply.read()


def call(method, target, content=None):
    """Raises a refusal with the platform's code, or without one where nobody knows what the platform did."""
    try:
        status, headers, body = send(method, target, content)
    except Exception as failure:
        raise Refusal(502, "the platform did not answer") from failure
    if not is_genuine(headers, body):
        raise Refusal(502, "a reply without a signature")
    reply = json.loads(body) if body else {}
    if status >= 300:
        raise Refusal(502, f"the platform refused: {reply.get('code')}", reply.get("code"))
    return reply


def open_notification(headers, body):
    if not is_genuine(headers, body):
        raise Refusal(401, "not the platform's")
    sealed = json.loads(body)["resource"]
    cipher = AESGCM(keys["api_v3_key"].encode())
    opened = cipher.decrypt(
        sealed["nonce"].encode(), base64.b64decode(sealed["ciphertext"]), sealed["associated_data"].encode()
    )
    return json.loads(opened)


def read_bill(date):
    """The lines of a day's bill, by the names of their columns."""
    try:
        bill = call("GET", f"/v3/bill/tradebill?bill_date={date}&bill_type=ALL&tar_type=GZIP")
    except Refusal as refusal:
        if refusal.code == "NO_STATEMENT_EXIST":
            return []
        raise
    url = urllib.parse.urlsplit(bill["download_url"])
    text = gzip.decompress(send("GET", f"{url.path}?{url.query}")[2])
    if hashlib.sha1(text).hexdigest() != bill["hash_value"]:
        raise Refusal(502, "a damaged bill")
    head, *lines = text.decode("utf-8-sig").split("\r\n")
    names = head.split(",")
    # The sums follow the lines, under a head of their own.
    count = next(at for at, line in enumerate(lines) if not line.startswith("`"))
    return [dict(zip(names, line[1:].split(",`"))) for line in lines[:count]]


def fen(yuan):
    return round(float(yuan) * 100)
