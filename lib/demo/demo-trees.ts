/** How trees share water: what there is to read when a longer answer is tried first. */
export function treesAndWater(): string {
  return `A tree drinks through the finest of its roots, and it seldom drinks alone. Three things move water from one tree to another:

1. **Hydraulic lift.** At night deep roots draw up water, and some of it seeps out of the shallow roots into the dry soil above. In the morning it is there for the tree itself and for whatever grows beside it.
2. **Fungal threads.** Most trees live with fungi whose threads reach where no root fits. The fungus takes sugar and gives water and minerals; one fungus may be joined to several trees. How much water crosses from tree to tree in this way is still being argued about.
3. **Grafted roots.** Where roots of one kind press against each other for years they can grow together. Even a stump may live on like this, fed by its neighbours.

| Way | Who takes part | How sure we are |
| --- | --- | --- |
| Hydraulic lift | deep roots and their neighbours | well measured |
| Fungal threads | trees and fungi of many kinds | how much is open |
| Root grafts | mostly trees of one kind | often seen |

What they have in common is that water goes from wet to dry. A small model shows how two soils become alike:

\`\`\`ts
/** Each hour a tenth of the difference seeps from the wetter place to the drier one. */
function share(deep: number, shallow: number, hours: number): [number, number] {
  for (let hour = 0; hour < hours; hour++) {
    const moved = (deep - shallow) * 0.1;
    deep -= moved;
    shallow += moved;
  }
  return [deep, shallow];
}

share(40, 10, 8); // about [27.5, 22.5] after one night
\`\`\`

So “sharing” is a kind word for it: nobody decides anything, the gradient does. The neighbours are better off all the same.`;
}
