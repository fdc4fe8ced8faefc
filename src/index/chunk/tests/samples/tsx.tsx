import { FC } from 'react';

interface Props extends Base<Item> { title: string; onPick(item: Item): void }

/** Lists items. */
export const List: FC<Props> = ({ title, onPick }) => {
  const [items, setItems] = useItems<Item>(title);
  return (
    <ul className="list">
      {items.map((item) => <Row key={item.id} item={item} onClick={() => onPick(item)} />)}
    </ul>
  );
};
