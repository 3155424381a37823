<?php
// The shop's orders and refunds, in a file of SQLite that all processes share.

class Store
{
    private readonly SQLite3 $db;

    public function __construct(string $file)
    {
        $this->db = new SQLite3($file);
        $this->db->enableExceptions(true);
        $this->db->busyTimeout(5000);
        // Amounts are fen. status: PLACING until the platform's reply, then UNPAID, PAID, CLOSED or REFUNDED. doubtful: a
        // person has to look at the order, and nothing settles it any more.
        $this->db->exec('PRAGMA journal_mode = WAL');
        $this->db->exec('PRAGMA synchronous = OFF');
        $this->db->exec(<<<SQL
            CREATE TABLE IF NOT EXISTS orders (
                number TEXT PRIMARY KEY, amount INTEGER, status TEXT, settlements INTEGER DEFAULT 0, payment TEXT DEFAULT '',
                paid_at TEXT DEFAULT '', placed_at REAL, doubtful INTEGER DEFAULT 0);
            CREATE TABLE IF NOT EXISTS refunds (
                number TEXT PRIMARY KEY, order_number TEXT, amount INTEGER, status TEXT, answered INTEGER DEFAULT 0,
                created_at TEXT DEFAULT '');
            SQL);
    }

    /** @return array the rows; of a change: none */
    public function rows(string $sql, mixed ...$values): array
    {
        $statement = $this->db->prepare($sql);
        foreach ($values as $at => $value) {
            $statement->bindValue($at + 1, $value);
        }
        $result = $statement->execute();
        $rows = [];
        while ($result->numColumns() > 0 && ($row = $result->fetchArray(SQLITE3_ASSOC)) !== false) {
            $rows[] = $row;
        }
        return $rows;
    }

    /** Nobody else writes in the meantime. No call belongs into it. */
    public function alone(callable $work): mixed
    {
        $this->db->exec('BEGIN IMMEDIATE');
        try {
            $result = $work();
            $this->db->exec('COMMIT');
            return $result;
        } catch (Throwable $failure) {
            $this->db->exec('ROLLBACK');
            throw $failure;
        }
    }
}
