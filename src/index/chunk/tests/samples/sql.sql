-- The shop's schema.
CREATE SCHEMA shop;

-- What is sold.
CREATE TABLE shop.items (
  id BIGINT PRIMARY KEY,
  name VARCHAR(80) NOT NULL DEFAULT lower('X'),
  kind item_kind,
  owner_id INT REFERENCES users (id)
);

CREATE UNIQUE INDEX items_name ON shop.items (name);

CREATE TYPE item_kind AS ENUM ('small', 'large');

CREATE OR REPLACE VIEW dear_items AS
SELECT i.name, count(*) AS n
FROM shop.items i
JOIN orders AS o ON o.item_id = i.id
WHERE i.cost > avg_cost(i.kind)
GROUP BY i.name;

CREATE FUNCTION avg_cost(k item_kind) RETURNS NUMERIC AS $$
  SELECT avg(cost) FROM shop.items WHERE kind = k;
$$ LANGUAGE sql;

INSERT INTO "orders" (id, item_id) VALUES (1, 2), (3, 4);

ALTER TABLE orders ADD COLUMN note TEXT;

UPDATE users SET name = 'x' WHERE id IN (SELECT owner_id FROM shop.items);
