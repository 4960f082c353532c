// The parts of shapes, as lists of vertices.

/// The parts of a shape, each a list of vertices as [longitude, latitude], with their heights if they
/// have some; a hole is a part too.
export function partsOf({ type, coordinates }) {
  const flat = (vertices) => vertices.map((vertex) => [...vertex]);
  const open = (ring) => flat(ring.slice(0, -1));
  switch (type) {
    case "Point": return [flat([coordinates])];
    case "MultiPoint":
    case "LineString": return [flat(coordinates)];
    case "MultiLineString": return coordinates.map(flat);
    case "Polygon": return coordinates.map(open);
    case "MultiPolygon": return coordinates.flat().map(open);
    default: return [];
  }
}

/// The parts in the world that the first vertex is in, since the map repeats east and west.
export function inOneWorld(parts) {
  const turns = Math.round((parts[0]?.[0]?.[0] ?? 0) / 360);
  return parts.map((part) =>
    part.map(([longitude, ...rest]) => [longitude - turns * 360, ...rest]));
}
