// Places the boxes of a graph in layers: what links leads from the left to the right, and boxes stay near what they are linked with.

/// The layer of each box: one more than the last box that leads to it. Links that would close a circle are left out.
function layers(names, edges) {
  const out = new Map(names.map((name) => [name, []]));
  edges.forEach(([from, to]) => { if (from !== to && !out.get(from).includes(to)) out.get(from).push(to); });
  const mark = new Map();
  const forward = [];
  const visit = (root) => {
    const path = [[root, 0]];
    mark.set(root, 1);
    while (path.length) {
      const top = path[path.length - 1];
      const next = out.get(top[0])[top[1]];
      if (next === undefined) { mark.set(top[0], 2); path.pop(); continue; }
      top[1] += 1;
      if (mark.get(next) === 1) continue;
      forward.push([top[0], next]);
      if (!mark.has(next)) { mark.set(next, 1); path.push([next, 0]); }
    }
  };
  const targets = new Set(edges.map(([, to]) => to));
  [...names].sort((a, b) => Number(targets.has(a)) - Number(targets.has(b))).forEach((name) => { if (!mark.has(name)) visit(name); });
  const layer = new Map(names.map((name) => [name, 0]));
  for (let round = 0; round < names.length; round += 1) {
    let moved = false;
    for (const [from, to] of forward) if (layer.get(to) <= layer.get(from)) { layer.set(to, layer.get(from) + 1); moved = true; }
    if (!moved) break;
  }
  return layer;
}

/// Boxes with a width and a height get x and y.
export function place(boxes, edges, gap = { x: 90, y: 26 }) {
  const byName = new Map(boxes.map((box) => [box.name, box]));
  const layer = layers(boxes.map((box) => box.name), edges);
  const columns = [];
  boxes.forEach((box) => (columns[layer.get(box.name)] ??= []).push(box));
  const near = new Map(boxes.map((box) => [box.name, []]));
  edges.forEach(([from, to]) => { near.get(from).push(to); near.get(to).push(from); });
  const at = new Map();
  columns.forEach((column) => column?.forEach((box, index) => at.set(box.name, index)));
  for (let sweep = 0; sweep < 6; sweep += 1) {
    const order = sweep % 2 ? [...columns].reverse() : columns;
    for (const column of order.filter(Boolean)) {
      const middle = (box) => { const all = near.get(box.name); return all.length ? all.reduce((sum, name) => sum + at.get(name), 0) / all.length : at.get(box.name); };
      column.sort((a, b) => middle(a) - middle(b)).forEach((box, index) => at.set(box.name, index));
    }
  }
  let x = 20;
  const tallest = Math.max(0, ...columns.filter(Boolean).map((column) => column.reduce((sum, box) => sum + box.height + gap.y, 0)));
  for (const column of columns.filter(Boolean)) {
    let y = 20 + (tallest - column.reduce((sum, box) => sum + box.height + gap.y, 0)) / 2;
    for (const box of column) { box.x = x; box.y = y; y += box.height + gap.y; }
    x += Math.max(...column.map((box) => box.width)) + gap.x;
  }
  return byName;
}
