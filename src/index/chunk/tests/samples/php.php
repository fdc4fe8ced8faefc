<?php

declare(strict_types=1);

/*
 * This file is part of the shop.
 */

namespace App\Orders;

use App\Model\Order;
use App\Mail\{Mailer, Sender as MailSender};
use Psr\Log\LoggerInterface as Logger;
use function App\Support\array_flatten;

require_once __DIR__ . '/helpers.php';
include 'legacy.php';

const DEFAULT_LIMIT = 20;
define('APP_ROOT', __DIR__);

/** Can be paid. */
interface Payable extends Countable, HasTotal
{
    /** Pays. */
    public function pay(int $amount): bool;
}

trait LogsChanges
{
    protected function logChange(string $what): void
    {
        $this->logger?->info($what);
    }
}

enum Status: string implements HasLabel
{
    case Open = 'open';
    case Paid = 'paid';

    public function label(): string
    {
        return ucfirst($this->value);
    }
}

/**
 * Stores orders.
 */
#[Service(tag: 'orders')]
final class OrderRepository extends BaseRepository implements Payable, \JsonSerializable
{
    use LogsChanges;

    public const TABLE = 'orders';
    private static ?Logger $shared = null;

    public function __construct(
        private readonly Logger $logger,
        private Mailer $mailer,
    ) {
        parent::__construct($logger);
    }

    /**
     * Finds the open ones.
     *
     * @return Order[]
     */
    #[Cached(60)]
    public function findOpen(int $limit = self::TABLE): array
    {
        $rows = $this->query('SELECT 1')->fetchAll();
        return array_map(fn (array $row): Order => Order::fromRow($row), array_flatten($rows));
    }

    public static function make(): static
    {
        return new static(new FileLogger('a.log'), MailSender::default());
    }
}

/** Formats money. */
function format_money(int $cents, ?Currency $currency = null): string
{
    if ($cents instanceof Money) {
        try { \strlen('x'); } catch (ShopException | TypeError $e) { throw new RuntimeException('x'); }
    }
    return number_format($cents / 100, 2);
}

final class OrderTest extends TestCase
{
    public function testPays(): void
    {
        self::assertTrue((new OrderRepository())->pay(1));
    }
}

it('formats', function () {
    expect(format_money(1))->toBe('0.01');
});
