<?php
// The API of WeChat Pay, version 3: signed calls, verified replies and notifications, and the bill of a day.

/** A status for the caller, and the platform's code. Without a code nobody knows what the platform did. */
class Refusal extends Exception
{
    public function __construct(public readonly int $status, string $message, public readonly string $platformCode = '')
    {
        parent::__construct($message);
    }
}

class WechatPay
{
    private const CALL_TIMEOUT_MS = 3000;
    private const MAX_AGE_SECONDS = 300;
    /** By serial. While a merchant switches to the platform's public key, either may sign. */
    private array $platformKeys;

    /** @param array $keys with the real platform these are your own merchant's */
    public function __construct(private readonly string $platform, public readonly array $keys)
    {
        $this->platformKeys = [$keys['platform_serial'] => $keys['platform_certificate']];
        if (isset($keys['platform_public_key'])) {
            $this->platformKeys[$keys['platform_public_key_id']] = $keys['platform_public_key'];
        }
    }

    private function authorization(string $method, string $target, string $body): string
    {
        [$timestamp, $nonce] = [time(), bin2hex(random_bytes(16))];
        $message = "$method\n$target\n$timestamp\n$nonce\n$body\n";
        openssl_sign($message, $signature, $this->keys['merchant_private_key'], OPENSSL_ALGO_SHA256);
        return sprintf(
            'WECHATPAY2-SHA256-RSA2048 mchid="%s",nonce_str="%s",timestamp="%d",serial_no="%s",signature="%s"',
            $this->keys['mch_id'],
            $nonce,
            $timestamp,
            $this->keys['merchant_serial'],
            base64_encode($signature),
        );
    }

    /** Whether the platform signed the body a short time ago. @param array $headers by names in lower case */
    private function isGenuine(array $headers, string $body): bool
    {
        [$serial, $timestamp, $nonce, $signature] = array_map(
            fn(string $name) => $headers["wechatpay-$name"] ?? '',
            ['serial', 'timestamp', 'nonce', 'signature'],
        );
        $key = $this->platformKeys[$serial] ?? null;
        if ($key === null || !ctype_digit($timestamp) || abs(time() - (int) $timestamp) > self::MAX_AGE_SECONDS) {
            return false;
        }
        $message = "$timestamp\n$nonce\n$body\n";
        return openssl_verify($message, base64_decode($signature), $key, OPENSSL_ALGO_SHA256) === 1;
    }

    /** @return array status, headers by names in lower case, body. @throws Refusal without a reply */
    private function send(string $method, string $target, string $body): array
    {
        $headers = [];
        $request = curl_init($this->platform . $target);
        curl_setopt_array($request, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => self::CALL_TIMEOUT_MS,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_USERAGENT => 'shop',
            CURLOPT_HTTPHEADER => [
                'Authorization: ' . $this->authorization($method, $target, $body),
                'Accept: application/json',
                'Content-Type: application/json',
            ],
            CURLOPT_HEADERFUNCTION => function ($request, string $line) use (&$headers): int {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ]);
        if ($body !== '') {
            curl_setopt($request, CURLOPT_POSTFIELDS, $body);
        }
        $answered = curl_exec($request);
        if ($answered === false) {
            throw new Refusal(502, 'the platform did not answer');
        }
        return [curl_getinfo($request, CURLINFO_RESPONSE_CODE), $headers, $answered];
    }

    /** @throws Refusal with the platform's code, or without one where nobody knows what the platform did */
    public function call(string $method, string $target, ?array $content = null): array
    {
        [$status, $headers, $body] = $this->send($method, $target, $content === null ? '' : json_encode($content));
        if (!$this->isGenuine($headers, $body)) {
            throw new Refusal(502, 'a reply without a signature');
        }
        $reply = $body === '' ? [] : json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        if ($status >= 300) {
            throw new Refusal(502, "the platform refused: {$reply['code']}", $reply['code']);
        }
        return $reply;
    }

    /** @return array what the platform says in a notification. @throws Refusal if it is not the platform's */
    public function open(array $headers, string $body): array
    {
        if (!$this->isGenuine($headers, $body)) {
            throw new Refusal(401, "not the platform's");
        }
        $sealed = json_decode($body, true, flags: JSON_THROW_ON_ERROR)['resource'];
        $bytes = base64_decode($sealed['ciphertext']);
        $opened = openssl_decrypt(
            substr($bytes, 0, -16),
            'aes-256-gcm',
            $this->keys['api_v3_key'],
            OPENSSL_RAW_DATA,
            $sealed['nonce'],
            substr($bytes, -16),
            $sealed['associated_data'],
        );
        if ($opened === false) {
            throw new Refusal(400, 'cannot decrypt it');
        }
        return json_decode($opened, true, flags: JSON_THROW_ON_ERROR);
    }

    /** The lines of a day's bill, by the names of their columns. */
    public function readBill(string $date): array
    {
        try {
            $bill = $this->call('GET', "/v3/bill/tradebill?bill_date=$date&bill_type=ALL&tar_type=GZIP");
        } catch (Refusal $refusal) {
            if ($refusal->platformCode === 'NO_STATEMENT_EXIST') {
                return [];
            }
            throw $refusal;
        }
        $address = parse_url($bill['download_url']);
        $text = gzdecode($this->send('GET', "{$address['path']}?{$address['query']}", '')[2]);
        if (sha1($text) !== $bill['hash_value']) {
            throw new Refusal(502, 'a damaged bill');
        }
        $rows = explode("\r\n", str_replace("\u{FEFF}", '', $text));
        $names = explode(',', array_shift($rows));
        $lines = [];
        foreach ($rows as $row) {
            // The sums follow the lines, under a head of their own.
            if (!str_starts_with($row, '`')) {
                break;
            }
            $lines[] = array_combine($names, explode(',`', substr($row, 1)));
        }
        return $lines;
    }
}

function fen(string $yuan): int
{
    return (int) round((float) $yuan * 100);
}
