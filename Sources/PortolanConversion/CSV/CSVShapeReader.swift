internal import Foundation
internal import PortolanFiles
package import PortolanGeometry

/// Reads the shapes of the rows of a file of comma-separated values, in the spatial reference of their
/// layer.
package struct CSVShapeReader {
  /// Why a row has no shape.
  package struct Fault: Error {
    /// The end of a sentence about the row.
    package let reason: String
  }

  private let columns: CSVShapeColumns
  /// Projects shapes with a number to the layer's reference, or says why that is not possible.
  private var projections: [Int: Result<Projection, Fault>] = [:]
  private var plainProjection: Projection?

  /// Reads the shapes in certain columns.
  package init(_ columns: CSVShapeColumns) {
    self.columns = columns
    if !columns.isReferenceOfPlainShapes, let reference = columns.reference {
      // Without a way from degrees no shape in degrees has a place in the layer, which is reported.
      plainProjection = try? Projection(from: .wgs84, to: reference)
    }
  }

  /// The shape of a row; `nil` where its cells are empty.
  ///
  /// - Throws: A ``Fault`` if they hold something else.
  package mutating func shape(of record: [String]) throws(Fault) -> Geometry? {
    switch columns.place {
    case .coordinates(let columns):
      return try columns.point(record).map(Geometry.point)
    case .wellKnownText(let column):
      guard let cell = record.cell(column) else { return nil }
      // The reason would be one of grammar.
      guard let shape = try? NumberedShape(cell: cell) else {
        throw Fault(reason: "\(CSVCell.quoted(cell)) is no shape that can be read")
      }
      guard !shape.geometry.isEmpty else { return nil }
      return try placed(shape)
    }
  }

  /// The shape in the layer's reference.
  private mutating func placed(_ shape: NumberedShape) throws(Fault) -> Geometry {
    guard let number = shape.spatialReferenceID else { return try placedPlain(shape.geometry) }
    let projection = try projection(from: number)
    do { return try projection.project(shape.geometry) } catch {
      throw Fault(reason: error.plainReason)
    }
  }

  private func placedPlain(_ shape: Geometry) throws(Fault) -> Geometry {
    guard !columns.isReferenceOfPlainShapes else { return shape }
    guard (shape.extent ?? .empty).mayBeDegrees, let plainProjection else {
      throw Fault(reason: "nothing says what its coordinates mean, while other rows do")
    }
    do { return try plainProjection.project(shape) } catch {
      throw Fault(reason: error.plainReason)
    }
  }

  private mutating func projection(from number: Int) throws(Fault) -> Projection {
    if let known = projections[number] { return try known.get() }
    guard projections.count < CSVShapeSurvey.mostReferences else {
      throw Fault(reason: "the file has too many spatial references")
    }
    let result = found(from: number)
    projections[number] = result
    return try result.get()
  }

  private func found(from number: Int) -> Result<Projection, Fault> {
    let source = SpatialReference(numbered: number)
    do {
      // A projection from a reference to itself does not ask whether it is known.
      _ = try source.properties()
      return .success(try Projection(from: source, to: columns.reference ?? source))
    } catch {
      return .failure(Fault(reason: error.plainReason))
    }
  }
}

extension CSVShapeColumns.Coordinates {
  /// The point of a row; `nil` where its cells are empty.
  func point(_ record: [String]) throws(CSVShapeReader.Fault) -> Point? {
    let cells = (record.cell(x), record.cell(y))
    guard cells.0 != nil || cells.1 != nil else { return nil }
    guard let xCell = cells.0, let yCell = cells.1 else {
      throw CSVShapeReader.Fault(reason: "it has one coordinate only")
    }
    guard let east = CSVCell.ordinate(xCell), let north = CSVCell.ordinate(yCell) else {
      let cell = CSVCell.ordinate(xCell) == nil ? xCell : yCell
      throw CSVShapeReader.Fault(reason: "\(CSVCell.quoted(cell)) is no coordinate")
    }
    guard kind != .degrees || abs(north) <= 90 else {
      throw CSVShapeReader.Fault(reason: "\(CSVCell.quoted(yCell)) is no latitude")
    }
    guard kind != .degrees || abs(east) <= 360 else {
      throw CSVShapeReader.Fault(reason: "\(CSVCell.quoted(xCell)) is no longitude")
    }
    return Point(x: east, y: north, z: z.flatMap { record.cell($0) }.flatMap(CSVCell.ordinate))
  }
}
