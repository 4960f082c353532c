internal import Foundation
package import PortolanGeometry

/// Finds the columns with the shapes of a file of comma-separated values, by looking at all its rows.
package struct CSVShapeSurvey {
  /// A column that may hold well-known text, or well-known binary in digits.
  fileprivate struct TextColumn {
    let index: Int
    var shapeCount = 0
    var otherCount = 0
    /// The numbers of spatial references, the first ones, in their order.
    var numbers: [Int] = []
    /// Where shapes without a number are; `nil` without such shapes.
    var plainExtent: Envelope?
  }

  /// What columns of coordinates hold.
  fileprivate struct CoordinateColumns {
    let columns: CSVShapeColumns.Coordinates
    /// Whether they were named by the user.
    let isGiven: Bool
    var pointCount = 0
    var otherCount = 0
    var otherHeightCount = 0
    var heightCount = 0
    var extent = Envelope.empty
  }

  /// How many spatial references a file may have; shapes in others are reported.
  static let mostReferences = 32
  /// The names of such columns, in small letters; first the one that
  /// ``CSVTarget`` gives where another is taken.
  private static let textNames = [
    "shape_wkt", "wkt", "geometry", "geom", "the_geom", "wkt_geom", "shape",
    "wkb_geometry", "wkb",
  ]

  private let header: [String]
  /// The spatial reference of coordinates in well-known text, and in columns of coordinates.
  private let declared: (inTexts: SpatialReference?, inColumns: SpatialReference?)
  private var texts: [TextColumn]
  private var points: CoordinateColumns?

  /// Begins with the names of the columns.
  ///
  /// - Parameters:
  ///   - header: The names.
  ///   - x: The column of eastings or longitudes, if one was given.
  ///   - y: The column of northings or latitudes, if one was given.
  ///   - reference: The spatial reference of coordinates that name no reference of their own, if
  ///     one was given.
  ///   - file: What the `.prj` beside the file says of them, if there is one; columns of longitude and
  ///     latitude are in degrees even beside one of lengths.
  package init(
    header: [String], x: Int? = nil, y: Int? = nil, reference: SpatialReference? = nil,
    beside file: SpatialReference? = nil
  ) {
    let names = header.map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
    self.header = names
    let isGiven = x != nil || y != nil
    // Explicitly named columns take precedence.
    texts =
      isGiven
      ? []
      : Self.textNames.compactMap { names.firstIndex(of: $0) }.map { TextColumn(index: $0) }
    var columns =
      isGiven
      ? CSVShapeColumns.Coordinates(header: names, x: x, y: y)
      : CSVShapeColumns.Coordinates(header: names)
    declared = (reference ?? file, reference ?? columns.flatMap { $0.honored(file) })
    // An explicit projected reference overrides the guess of degrees.
    if reference?.isKnownGeographic == false, columns?.kind == .degrees { columns?.kind = .open }
    points = columns.map { CoordinateColumns(columns: $0, isGiven: isGiven) }
  }

  /// Takes a row into account.
  package mutating func add(_ record: [String]) {
    for index in texts.indices { texts[index].add(record) }
    // Where there is a shape already, points are not requested.
    if !texts.contains(where: { $0.shapeCount > 0 }) || points?.isGiven == true {
      points?.add(record)
    }
  }

  /// The columns with shapes; `nil` if there are none.
  package func columns() -> CSVShapeColumns? {
    if let text = texts.first(where: { $0.shapeCount > 0 }) { return columns(text) }
    guard let points, points.isGiven || points.areCoordinates else { return nil }
    return columns(points)
  }

  private func columns(_ text: TextColumn) -> CSVShapeColumns {
    let known = text.numbers.map { SpatialReference(numbered: $0) }.first {
      // What has no properties is not known.
      (try? $0.properties()) != nil
    }
    let isPlainDegrees = text.plainExtent?.mayBeDegrees ?? true
    let reference =
      declared.inTexts ?? known
      ?? (text.plainExtent != nil && isPlainDegrees ? .wgs84 : nil)
    let kinds = text.numbers.count + (text.plainExtent == nil ? 0 : 1)
    let isWhole = text.otherCount == 0 && kinds <= 1 && (text.numbers.isEmpty || known != nil)
    return CSVShapeColumns(
      place: .wellKnownText(text.index), consumed: isWhole ? [text.index] : [],
      reference: reference, isReferenceOfPlainShapes: declared.inTexts != nil || known == nil)
  }

  private func columns(_ points: CoordinateColumns) -> CSVShapeColumns {
    var columns = points.columns
    var consumed: Set<Int> = points.otherCount == 0 ? [columns.x, columns.y] : []
    if points.heightCount == 0 {
      columns.z = nil
    } else if let z = columns.z, columns.hasPlainHeights(header), points.otherHeightCount == 0,
      points.otherCount == 0
    {
      consumed.insert(z)
    }
    let assumed: SpatialReference? =
      switch columns.kind {
      case .degrees: .wgs84
      case .open: points.extent.mayBeDegrees ? .wgs84 : nil
      case .lengths: nil
      }
    return CSVShapeColumns(
      place: .coordinates(columns), consumed: consumed,
      reference: declared.inColumns ?? assumed, isReferenceOfPlainShapes: true)
  }
}

extension CSVShapeSurvey.TextColumn {
  fileprivate mutating func add(_ record: [String]) {
    guard let cell = record.cell(index) else { return }
    // What is no shape is reported when the row is read.
    guard let shape = try? NumberedShape(cell: cell) else {
      otherCount += 1
      return
    }
    guard !shape.geometry.isEmpty else { return }
    shapeCount += 1
    if let number = shape.spatialReferenceID {
      guard numbers.count <= CSVShapeSurvey.mostReferences, !numbers.contains(number) else {
        return
      }
      numbers.append(number)
    } else {
      let extent = shape.geometry.extent ?? .empty
      plainExtent = plainExtent?.union(extent) ?? extent
    }
  }
}

extension CSVShapeSurvey.CoordinateColumns {
  /// Whether the columns hold coordinates, and not anything else under their names.
  fileprivate var areCoordinates: Bool {
    columns.kind == .degrees || pointCount > 0 || otherCount == 0
  }

  fileprivate mutating func add(_ record: [String]) {
    if let column = columns.z, let cell = record.cell(column) {
      if CSVCell.ordinate(cell) == nil { otherHeightCount += 1 } else { heightCount += 1 }
    }
    do {
      guard let point = try columns.point(record) else { return }
      pointCount += 1
      extent.include(point.coordinate)
    } catch { otherCount += 1 }
  }
}
