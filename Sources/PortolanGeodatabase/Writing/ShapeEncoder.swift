internal import PortolanGeometry

/// Writes the shapes of a new table, one after the other.
struct ShapeEncoder {
  private let writer: any ShapeWriting
  /// The bytes of the last shape; empty if there is none, where the format writes `NULL` for it.
  private(set) var bytes: [UInt8] = []
  /// How many shapes have heights or measures that the table has no place for.
  private(set) var cutCount = 0
  /// Whether a shape is written without heights although the table has them.
  private(set) var lacksHeights = false
  /// Whether a shape is written without measures although the table has them.
  private(set) var lacksMeasures = false

  /// Creates an encoder for the shapes of a table.
  init(_ shapes: TableLayout.Shapes, format: any TableFormat) {
    writer = format.makeShapeWriter(shapes)
  }

  /// Writes a shape into ``bytes`` and returns its box; `nil` if there is no shape.
  mutating func encode(_ geometry: Geometry?) throws -> Envelope? {
    let written = try writer.write(geometry, into: &bytes)
    if written.isCut { cutCount += 1 }
    if written.lacksHeights { lacksHeights = true }
    if written.lacksMeasures { lacksMeasures = true }
    return written.extent
  }
}
