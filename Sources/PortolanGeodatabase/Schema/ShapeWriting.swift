package import PortolanFeatures
package import PortolanGeometry

/// Writes the shapes of one table as its file stores them.
package protocol ShapeWriting: Sendable {
  /// The ordinates that can be stored.
  var range: CoordinateRange { get }

  /// Writes a shape into `bytes`, whose capacity is used again; empty where `NULL` stands for none.
  func write(_ geometry: Geometry?, into bytes: inout [UInt8]) throws -> WrittenShape
}

/// The outcome of writing a shape.
package struct WrittenShape: Sendable {
  /// The box around it; `nil` if there is no shape.
  package var extent: Envelope?
  /// Whether it has heights or measures that the table has no place for.
  package var isCut: Bool
  /// Whether it is written without heights although the table has them.
  package var lacksHeights: Bool
  /// Whether it is written without measures although the table has them.
  package var lacksMeasures: Bool

  package init(
    extent: Envelope?, isCut: Bool = false, lacksHeights: Bool = false, lacksMeasures: Bool = false
  ) {
    self.extent = extent
    self.isCut = isCut
    self.lacksHeights = lacksHeights
    self.lacksMeasures = lacksMeasures
  }
}
