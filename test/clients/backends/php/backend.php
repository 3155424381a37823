<?php
// A merchant's backend by version 3 of WeChat Pay: PHP with its extensions openssl, curl and sqlite3. `php backend.php` starts
// PHP's own server with several workers, and asks the platform for what no notification told.

require_once __DIR__ . '/shop.php';

const LONGEST_BODY = 65_536;
const WORKERS = 8;

function openShop(): Shop
{
    $folder = getenv('SHOP_FOLDER');
    $keys = json_decode(file_get_contents("$folder/keys.json"), true);
    $address = 'http://127.0.0.1:' . getenv('PORT');
    return new Shop(new Store("$folder/shop.db"), new WechatPay(getenv('HEARTH_PROVIDER_URL'), $keys), $address);
}

/** @throws Refusal 400 */
function amountOf(array $asked): int
{
    $amount = $asked['amount'] ?? null;
    if (!is_int($amount) || $amount < 1) {
        throw new Refusal(400, 'amount: fen, a whole number');
    }
    return $amount;
}

/** @return array the status, and what is sent as JSON */
function answer(Shop $shop, string $method, string $path, string $body): array
{
    $headers = array_change_key_case(getallheaders());
    preg_match('#^/orders/([^/]+)#', $path, $found);
    $number = $found[1] ?? '';
    $asked = json_decode($body, true) ?? [];
    return match ($method . ' ' . preg_replace('#^/orders/[^/]+#', '/orders/:number', $path)) {
        'POST /pay/notify' => [204, $shop->takePayment($headers, $body)],
        'POST /pay/refund-notify' => [204, $shop->takeRefund($headers, $body)],
        'POST /orders' => [201, $shop->place(amountOf($asked))],
        'GET /orders/:number' => [200, $shop->shown($number)],
        'POST /orders/:number/pay' => [200, $shop->payAgain($number)],
        'POST /orders/:number/close' => [200, $shop->close($number)],
        'POST /orders/:number/refunds' => [201, $shop->refund($number, amountOf($asked))],
        'POST /reconcile' => [200, ['differences' => $shop->reconcile($asked['date'])]],
        default => throw new Refusal(404, 'nothing here'),
    };
}

function handle(): void
{
    try {
        $body = file_get_contents('php://input', length: LONGEST_BODY + 1);
        if (strlen($body) > LONGEST_BODY) {
            throw new Refusal(413, 'too long');
        }
        $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
        [$status, $reply] = answer(openShop(), $_SERVER['REQUEST_METHOD'], $path, $body);
    } catch (Throwable $failure) {
        // Any refusal: the platform sends a notification again later.
        $isKnown = $failure instanceof Refusal;
        $status = $isKnown ? $failure->status : 500;
        $reply = ['code' => 'FAIL', 'message' => $isKnown ? $failure->getMessage() : 'cannot read it'];
    }
    http_response_code($status);
    if ($status !== 204) {
        header('Content-Type: application/json');
        echo json_encode($reply);
    }
}

function start(): void
{
    $folder = sys_get_temp_dir() . '/shop-' . bin2hex(random_bytes(8));
    mkdir($folder, 0700);
    // With the real platform these are your own merchant's keys.
    file_put_contents("$folder/keys.json", file_get_contents(getenv('HEARTH_PROVIDER_URL') . '/sim/credentials'));
    putenv("SHOP_FOLDER=$folder");
    $shop = openShop();
    $environment = [...getenv(), 'PHP_CLI_SERVER_WORKERS' => WORKERS];
    $command = [PHP_BINARY, '-d', 'display_errors=stderr', '-S', '127.0.0.1:' . getenv('PORT'), __FILE__];
    // In a group of its own: its workers end with it.
    $server = proc_open(['setsid', ...$command], [['file', '/dev/null', 'r'], STDOUT, ['file', '/dev/null', 'w']], $pipes, null, $environment);
    $end = function () use ($server, $folder): never {
        posix_kill(-proc_get_status($server)['pid'], SIGTERM);
        array_map('unlink', glob("$folder/*"));
        rmdir($folder);
        exit(0);
    };
    pcntl_async_signals(true);
    pcntl_signal(SIGTERM, $end);
    while (@fsockopen('127.0.0.1', (int) getenv('PORT')) === false) {
        usleep(50_000);
    }
    echo "listening\n";
    while (true) {
        usleep(Shop::ASK_AFTER_SECONDS * 500_000);
        $shop->ask();
    }
}

PHP_SAPI === 'cli-server' ? handle() : start();
