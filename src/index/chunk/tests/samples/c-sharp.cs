#region License
// Licensed under the MIT licence.
#endregion
#nullable enable

using System;
using System.Collections.Generic;
using static System.Math;
using Json = System.Text.Json.JsonSerializer;

[assembly: InternalsVisibleTo("Shop.Tests")]

namespace Shop.Orders
{
    /// <summary>Can be paid.</summary>
    public interface IPayable : IDisposable, IComparable<IPayable>
    {
        Money Total { get; }

        bool Pay(Money amount);
    }

    public delegate void Handler(object sender, OrderArgs args);

    public enum Status : byte
    {
        Open,
        Paid = 2,
    }

    /// <summary>
    /// An order.
    /// </summary>
    [Serializable]
    [Table("orders")]
    public sealed partial class Order<T> : Entity<T>, IPayable where T : struct
    {
        public const int MaxItems = 20;
        private static readonly ILogger Log = LogManager.GetLogger("shop");
        private readonly List<Line> _lines = new();

        public event EventHandler<OrderArgs>? Changed;

        public Money Total => _lines.Sum(line => line.Price);

        public string Name { get; set; } = string.Empty;

        public Line this[int index]
        {
            get { return _lines[index]; }
        }

        public Order(int id, IEnumerable<Line> lines)
            : base(id)
        {
            _lines.AddRange(lines);
        }

        ~Order() => Dispose();

        // Pays.
        [Obsolete("use PayAsync")]
        public override bool Pay(Money amount)
        {
            var receipt = new Receipt(amount) { Open = true };
            this.Notify(receipt);
            return _gateway?.Charge<Card>(amount) is Success;
        }

        public async Task<bool> PayAsync(Money amount, CancellationToken token = default)
        {
            await Task.Delay(10, token);
            bool Check(int x) => Abs(x) > 0;
            return Check(1);
        }

        public static Order<T> operator +(Order<T> a, Order<T> b) => a.Merge(b);

        private struct Key { public int Id; }
    }

    public record Point(int X, int Y) : Shape;

    public static class MoneyExtensions
    {
        public static string Format(this Money money) => Json.Serialize(money);
    }
}
