<?php
/** A client of Alipay in the shape of its samples for PHP, with nothing but PHP's cURL and OpenSSL. */
declare(strict_types=1);

$number = getenv("OUT_TRADE_NO");

function pem(string $line, string $type): string
{
    return "-----BEGIN $type-----\n" . wordwrap($line, 64, "\n", true) . "\n-----END $type-----";
}

function sign_content(array $params): string
{
    ksort($params);
    $pairs = [];
    foreach ($params as $name => $value) {
        if ($value !== "" && $value[0] !== "@") {
            $pairs[] = "$name=$value";
        }
    }
    return implode("&", $pairs);
}

function is_signed(string $content, string $sign): bool
{
    $key = pem(getenv("ALIPAY_PUBLIC_KEY"), "PUBLIC KEY");
    return openssl_verify($content, base64_decode($sign), $key, OPENSSL_ALGO_SHA256) === 1;
}

function call(string $method, array $content, array $more = []): array
{
    $params = ["app_id" => getenv("ALIPAY_APP_ID"), "version" => "1.0", "format" => "json", "sign_type" => "RSA2",
        "method" => $method, "timestamp" => date("Y-m-d H:i:s"), "charset" => "UTF-8", "alipay_sdk" => "sample-php"] + $more;
    $api = ["biz_content" => json_encode($content, JSON_UNESCAPED_UNICODE)];
    openssl_sign(sign_content($params + $api), $sign, pem(getenv("ALIPAY_PRIVATE_KEY"), "PRIVATE KEY"), OPENSSL_ALGO_SHA256);
    $params["sign"] = base64_encode($sign);
    $request = curl_init("https://openapi.alipay.com/gateway.do?" . http_build_query($params));
    curl_setopt_array($request, [
        CURLOPT_RETURNTRANSFER => true, CURLOPT_FAILONERROR => false, CURLOPT_POST => true,
        CURLOPT_POSTFIELDS => http_build_query($api),
        CURLOPT_HTTPHEADER => ["content-type: application/x-www-form-urlencoded;charset=UTF-8"],
    ]);
    $reply = curl_exec($request);
    if ($reply === false) {
        exit("$method: " . curl_error($request));
    }
    $node = str_replace(".", "_", $method) . "_response";
    $start = strpos($reply, $node) + strlen($node) + 2;
    $end = strrpos($reply, "\"sign\"") - 1;
    $read = json_decode($reply, true);
    if (!is_signed(substr($reply, $start, $end - $start), $read["sign"]) || $read[$node]["code"] !== "10000") {
        exit("$method: $reply");
    }
    return $read[$node];
}

/** Alipay's number of the trade that the first genuine notification is about. */
function notified($server): string
{
    while (true) {
        $peer = stream_socket_accept($server, 60);
        $length = 0;
        fgets($peer);
        while (($line = rtrim(fgets($peer))) !== "") {
            if (stripos($line, "content-length:") === 0) {
                $length = (int) substr($line, 15);
            }
        }
        parse_str(stream_get_contents($peer, $length), $fields);
        $sign = $fields["sign"];
        unset($fields["sign"], $fields["sign_type"]);
        $answer = is_signed(sign_content($fields), $sign) ? "success" : "fail";
        fwrite($peer, "HTTP/1.1 200 OK\r\nContent-Length: " . strlen($answer) . "\r\nConnection: close\r\n\r\n$answer");
        fclose($peer);
        if ($answer === "success") {
            return $fields["trade_no"];
        }
    }
}

$server = stream_socket_server("tcp://127.0.0.1:0");
call("alipay.trade.precreate", ["out_trade_no" => $number, "total_amount" => "1.01", "subject" => "一杯茶"],
    ["notify_url" => "http://" . stream_socket_get_name($server, false) . "/"]);
$trade = notified($server);
$order = call("alipay.trade.query", ["out_trade_no" => $number]);
call("alipay.trade.refund", ["trade_no" => $trade, "refund_amount" => "0.41", "out_request_no" => "1"]);
$refund = call("alipay.trade.fastpay.refund.query", ["trade_no" => $trade, "out_request_no" => "1"]);
echo json_encode(["notified" => $trade, "state" => $order["trade_status"], "refund" => $refund["refund_status"]]);
