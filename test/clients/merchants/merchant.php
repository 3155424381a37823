<?php
/** A client by version 3, with nothing but PHP's cURL and OpenSSL. */
declare(strict_types=1);

$number = getenv("OUT_TRADE_NO");

function call(string $method, string $path, ?array $content = null): array
{
    $body = $content === null ? "" : json_encode($content);
    [$timestamp, $nonce] = [(string) time(), bin2hex(random_bytes(16))];
    openssl_sign("$method\n$path\n$timestamp\n$nonce\n$body\n", $signature, "file://" . getenv("MERCHANT_KEY"), "sha256WithRSAEncryption");
    $pairs = ["mchid" => getenv("MCH_ID"), "nonce_str" => $nonce, "timestamp" => $timestamp,
        "serial_no" => getenv("MERCHANT_SERIAL"), "signature" => base64_encode($signature)];
    $authorization = implode(",", array_map(fn ($name) => "$name=\"$pairs[$name]\"", array_keys($pairs)));
    $request = curl_init("https://api.mch.weixin.qq.com$path");
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ["Authorization: WECHATPAY2-SHA256-RSA2048 $authorization", "Accept: application/json",
            "Content-Type: application/json", "User-Agent: merchant"],
        CURLOPT_RETURNTRANSFER => true,
    ] + ($content === null ? [] : [CURLOPT_POSTFIELDS => $body]));
    $reply = curl_exec($request);
    if ($reply === false || curl_getinfo($request, CURLINFO_RESPONSE_CODE) !== 200) {
        exit("$path: $reply" . curl_error($request));
    }
    return json_decode($reply, true);
}

function unseal(array $sealed): string
{
    $bytes = base64_decode($sealed["ciphertext"]);
    return openssl_decrypt(substr($bytes, 0, -16), "aes-256-gcm", getenv("API_V3_KEY"), OPENSSL_RAW_DATA,
        $sealed["nonce"], substr($bytes, -16), $sealed["associated_data"]);
}

/** @return array{array<string, string>, string} headers by their names in lower case, and the body */
function read_request($peer): array
{
    $headers = [];
    fgets($peer);
    while (($line = rtrim(fgets($peer))) !== "") {
        [$name, $value] = explode(":", $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    return [$headers, stream_get_contents($peer, (int) $headers["content-length"])];
}

/** The provider's number of the order that the first genuine notification is about. */
function notified($server, array $certificates): string
{
    while (true) {
        $peer = stream_socket_accept($server, 60);
        [$headers, $body] = read_request($peer);
        $message = "{$headers['wechatpay-timestamp']}\n{$headers['wechatpay-nonce']}\n$body\n";
        $signature = base64_decode($headers["wechatpay-signature"]);
        $genuine = openssl_verify($message, $signature, $certificates[$headers["wechatpay-serial"]], "sha256WithRSAEncryption") === 1;
        fwrite($peer, "HTTP/1.1 " . ($genuine ? "204 No Content" : "401 Unauthorized\r\nContent-Length: 0") . "\r\nConnection: close\r\n\r\n");
        fclose($peer);
        if ($genuine) {
            return json_decode(unseal(json_decode($body, true)["resource"]), true)["transaction_id"];
        }
    }
}

$certificates = [];
foreach (call("GET", "/v3/certificates")["data"] as $one) {
    $certificates[$one["serial_no"]] = unseal($one["encrypt_certificate"]);
}
$server = stream_socket_server("tcp://127.0.0.1:0");
call("POST", "/v3/pay/transactions/native", [
    "appid" => getenv("APP_ID"), "mchid" => getenv("MCH_ID"), "out_trade_no" => $number, "description" => "Tea",
    "notify_url" => "http://" . stream_socket_get_name($server, false) . "/", "amount" => ["total" => 101],
]);
$transaction = notified($server, $certificates);
$order = call("GET", "/v3/pay/transactions/out-trade-no/$number?mchid=" . getenv("MCH_ID"));
$amount = ["total" => 101, "refund" => 41, "currency" => "CNY"];
call("POST", "/v3/refund/domestic/refunds", ["out_trade_no" => $number, "out_refund_no" => "R-$number", "amount" => $amount]);
$refund = call("GET", "/v3/refund/domestic/refunds/R-$number");
echo json_encode(["notified" => $transaction, "state" => $order["trade_state"], "refund" => $refund["status"]]);
