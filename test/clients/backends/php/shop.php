<?php
// What the shop does with its orders: it places, settles, refunds, closes and reconciles them.

require_once __DIR__ . '/wechat_pay.php';
require_once __DIR__ . '/store.php';

class Shop
{
    public const ASK_AFTER_SECONDS = 2;

    public function __construct(
        private readonly Store $store,
        private readonly WechatPay $pay,
        private readonly string $address,
    ) {
    }

    /** @throws Refusal 404 */
    public function order(string $number): array
    {
        return $this->store->rows("SELECT * FROM orders WHERE number = ? AND status <> 'PLACING'", $number)[0]
            ?? throw new Refusal(404, 'no such order');
    }

    private function refunds(string $number): array
    {
        return $this->store->rows('SELECT * FROM refunds WHERE order_number = ? ORDER BY rowid', $number);
    }

    public function shown(string $number): array
    {
        $order = $this->order($number);
        $done = array_filter($this->refunds($number), fn(array $refund) => $refund['status'] === 'SUCCESS');
        $shown = array_intersect_key($order, array_flip(['number', 'amount', 'status', 'settlements']));
        return [...$shown, 'refunded' => array_sum(array_column($done, 'amount'))];
    }

    private function path(string $number): string
    {
        return "/v3/pay/transactions/out-trade-no/$number";
    }

    private function expect(array $order, string $status): void
    {
        if ($order['status'] !== $status) {
            throw new Refusal(409, "the order is {$order['status']}");
        }
    }

    /** Also renews what the buyer needs to pay: the platform takes the same order again. */
    private function placeAtPlatform(array $order): string
    {
        return $this->pay->call('POST', '/v3/pay/transactions/native', [
            'appid' => $this->pay->keys['app_id'],
            'mchid' => $this->pay->keys['mch_id'],
            'description' => 'Tea',
            'out_trade_no' => $order['number'],
            'notify_url' => "{$this->address}/pay/notify",
            'amount' => ['total' => $order['amount'], 'currency' => 'CNY'],
        ])['code_url'];
    }

    /**
     * An order that the platform may have taken, although no reply came, or a new one. No buyer knows the old one, so the
     * next one may have it.
     */
    private function newOrder(int $amount): array
    {
        return $this->store->alone(function () use ($amount): array {
            // placed_at is null while nobody places it.
            $lost = 'SELECT * FROM orders WHERE amount = ? AND status = ? AND placed_at IS NULL LIMIT 1';
            $order = $this->store->rows($lost, $amount, 'PLACING')[0]
                ?? ['number' => 'SHOP' . bin2hex(random_bytes(10)), 'amount' => $amount];
            $this->store->rows(
                "INSERT OR REPLACE INTO orders (number, amount, status, placed_at) VALUES (?, ?, 'PLACING', ?)",
                $order['number'],
                $amount,
                time(),
            );
            return $order;
        });
    }

    public function place(int $amount): array
    {
        $order = $this->newOrder($amount);
        try {
            $codeUrl = $this->placeAtPlatform($order);
        } catch (Refusal $refusal) {
            $this->store->rows('UPDATE orders SET placed_at = NULL WHERE number = ?', $order['number']);
            throw $refusal;
        }
        $this->store->rows("UPDATE orders SET status = 'UNPAID', placed_at = ? WHERE number = ?", microtime(true), $order['number']);
        return [...$this->shown($order['number']), 'code_url' => $codeUrl];
    }

    public function payAgain(string $number): array
    {
        $order = $this->order($number);
        $this->expect($order, 'UNPAID');
        return [...$this->shown($number), 'code_url' => $this->placeAtPlatform($order)];
    }

    /** @throws Refusal where the payment is somebody else's, or another amount */
    private function compare(array $order, array $said): void
    {
        $own = [$this->pay->keys['mch_id'], $this->pay->keys['app_id'], $order['number']];
        if ([$said['mchid'], $said['appid'], $said['out_trade_no']] !== $own) {
            throw new Refusal(403, "somebody else's payment");
        }
        if ([$said['amount']['total'], $said['amount']['currency']] !== [$order['amount'], 'CNY']) {
            $this->store->rows('UPDATE orders SET doubtful = 1 WHERE number = ?', $order['number']);
            throw new Refusal(409, 'another amount');
        }
    }

    /** Asks the platform, and settles a paid order once. @throws Refusal if the state is unknown */
    private function settle(array $order, ?string $payment = null): string
    {
        $found = $this->pay->call('GET', "{$this->path($order['number'])}?mchid={$this->pay->keys['mch_id']}");
        $state = $found['trade_state'];
        if ($state === 'SUCCESS') {
            $this->compare($order, $found);
            if ($payment !== null && $payment !== $found['transaction_id']) {
                throw new Refusal(409, 'another payment');
            }
            if ($this->order($order['number'])['doubtful']) {
                throw new Refusal(409, 'a person has to look at this order');
            }
            // Another copy may have settled it in the meantime.
            $this->store->rows(
                <<<SQL
                UPDATE orders SET status = 'PAID', settlements = settlements + 1, payment = ?, paid_at = ?
                WHERE number = ? AND status <> 'PAID' AND doubtful = 0
                SQL,
                $found['transaction_id'],
                $found['success_time'],
                $order['number'],
            );
        }
        $ended = ['CLOSED' => 'CLOSED', 'REVOKED' => 'CLOSED', 'REFUND' => 'REFUNDED'][$state] ?? null;
        if ($ended !== null) {
            $this->store->rows("UPDATE orders SET status = ? WHERE number = ? AND status = 'UNPAID'", $ended, $order['number']);
        }
        return $state;
    }

    public function takePayment(array $headers, string $body): void
    {
        $said = $this->pay->open($headers, $body);
        $order = $this->order($said['out_trade_no']);
        $this->compare($order, $said);
        if ($order['status'] === 'PAID') {
            if ($order['payment'] !== $said['transaction_id']) {
                throw new Refusal(409, 'another payment');
            }
        } elseif (in_array($this->settle($order, $said['transaction_id']), ['NOTPAY', 'USERPAYING'])) {
            throw new Refusal(503, 'not paid yet');
        }
    }

    public function close(string $number): array
    {
        $order = $this->order($number);
        $this->expect($order, 'UNPAID');
        try {
            $this->pay->call('POST', "{$this->path($number)}/close", ['mchid' => $this->pay->keys['mch_id']]);
            $this->store->rows("UPDATE orders SET status = 'CLOSED' WHERE number = ?", $number);
        } catch (Refusal $refusal) {
            if ($refusal->platformCode !== 'ORDERPAID') {
                throw $refusal;
            }
            $this->settle($order);
        }
        return $this->shown($number);
    }

    /** One number for each refund: a repeat after an error has the same. */
    private function refundOf(array $order, int $amount): array
    {
        return $this->store->alone(function () use ($order, $amount): array {
            $alive = array_filter($this->refunds($order['number']), fn(array $one) => $one['status'] !== 'CLOSED');
            foreach ($alive as $one) {
                if (!$one['answered'] && $one['amount'] === $amount) {
                    return $one;
                }
            }
            if (array_sum(array_column($alive, 'amount')) + $amount > $order['amount']) {
                throw new Refusal(409, 'more than the order');
            }
            $number = $order['number'] . '-' . count($this->refunds($order['number'])) + 1;
            $insert = "INSERT INTO refunds (number, order_number, amount, status) VALUES (?, ?, ?, 'REQUESTED')";
            $this->store->rows($insert, $number, $order['number'], $amount);
            return ['number' => $number, 'amount' => $amount];
        });
    }

    public function refund(string $number, int $amount): array
    {
        $order = $this->order($number);
        $this->expect($order, 'PAID');
        $refund = $this->refundOf($order, $amount);
        $found = $this->pay->call('POST', '/v3/refund/domestic/refunds', [
            'out_trade_no' => $number,
            'out_refund_no' => $refund['number'],
            'notify_url' => "{$this->address}/pay/refund-notify",
            'amount' => ['refund' => $amount, 'total' => $order['amount'], 'currency' => 'CNY'],
        ]);
        $this->note($refund['number'], $found);
        $this->store->rows('UPDATE refunds SET answered = 1 WHERE number = ?', $refund['number']);
        return ['number' => $refund['number'], 'amount' => $amount, 'status' => $found['status']];
    }

    /** A late reply must not replace the end of a refund. */
    private function note(string $number, array $found): void
    {
        $update = "UPDATE refunds SET status = ?1, created_at = ?2 WHERE number = ?3 AND (?1 <> 'PROCESSING' OR status = 'REQUESTED')";
        $this->store->rows($update, $found['status'], $found['create_time'], $number);
    }

    private function askRefund(string $number): void
    {
        $this->note($number, $this->pay->call('GET', "/v3/refund/domestic/refunds/$number"));
    }

    public function takeRefund(array $headers, string $body): void
    {
        $said = $this->pay->open($headers, $body);
        foreach ($this->refunds($this->order($said['out_trade_no'])['number']) as $refund) {
            $isIt = $refund['number'] === $said['out_refund_no'] && $refund['amount'] === $said['amount']['refund'];
            if ($isIt && $said['mchid'] === $this->pay->keys['mch_id']) {
                $this->askRefund($refund['number']);
                return;
            }
        }
        throw new Refusal(404, 'no such refund');
    }

    public function reconcile(string $date): array
    {
        $orders = array_column($this->store->rows("SELECT * FROM orders WHERE status <> 'PLACING'"), null, 'number');
        $refunds = array_column($this->store->rows('SELECT * FROM refunds'), null, 'number');
        [$differences, $seen] = [[], []];
        foreach ($this->pay->readBill($date) as $line) {
            $order = $orders[$line['商户订单号']] ?? null;
            $refund = $refunds[$line['商户退款单号'] ?? ''] ?? null;
            if ($line['交易状态'] === 'SUCCESS') {
                $seen[] = $line['商户订单号'];
                $isSame = $order !== null && $order['status'] === 'PAID' && $order['amount'] === fen($line['订单金额'])
                    && $order['payment'] === $line['微信订单号'];
            } else {
                $seen[] = $line['商户退款单号'];
                $isSame = $refund !== null && $refund['amount'] === fen($line['申请退款金额']);
            }
            if (!$isSame) {
                $differences[] = ['number' => $line['商户订单号'], 'why' => 'the bill differs'];
            }
        }
        $own = array_column($orders, 'paid_at', 'number')
            + array_column(array_filter($refunds, fn(array $one) => $one['status'] !== 'CLOSED'), 'created_at', 'number');
        foreach ($own as $number => $at) {
            if (str_starts_with($at, $date) && !in_array($number, $seen, true)) {
                $differences[] = ['number' => $number, 'why' => 'not in the bill'];
            }
        }
        return $differences;
    }

    /** Asks for what no notification told. What fails is asked again. */
    public function ask(): void
    {
        // Most notifications come at once.
        $open = "SELECT * FROM orders WHERE status = 'UNPAID' AND doubtful = 0 AND placed_at < ?";
        $asked = [];
        foreach ($this->store->rows($open, microtime(true) - self::ASK_AFTER_SECONDS) as $order) {
            $asked[] = fn() => $this->settle($order);
        }
        foreach ($this->store->rows("SELECT * FROM refunds WHERE status IN ('REQUESTED', 'PROCESSING')") as $refund) {
            $asked[] = fn() => $this->askRefund($refund['number']);
        }
        foreach ($asked as $ask) {
            try {
                $ask();
            } catch (Throwable) {
                continue;
            }
        }
    }
}
