package import PortolanGeometry

/// The columns of a CSV file that hold the shapes of its rows, and the spatial reference of their
/// coordinates.
///
/// Whatever reads such files asks this one value, so that a file is the same layer for all. Well-known
/// text goes before coordinates: a file with both has its lines and areas there, and a point of each
/// beside them. See ``CSVShapeSurvey``, which finds the columns, and ``CSVShapeReader``.
package struct CSVShapeColumns: Sendable {
  /// Where shapes are stored.
  package enum Place: Hashable, Sendable {
    /// In one column, as well-known text.
    case wellKnownText(Int)
    /// In columns of coordinates, which may have one of heights.
    case coordinates(Coordinates)
  }

  /// Columns of coordinates.
  package struct Coordinates: Hashable, Sendable {
    /// The column of eastings or longitudes.
    var x: Int
    /// The column of northings or latitudes.
    var y: Int
    /// The column of heights.
    var z: Int?
    /// What the numbers may be.
    var kind: Kind

    /// What numbers may be, as far as the names of their columns tell.
    enum Kind: Hashable, Sendable {
      /// Longitudes and latitudes.
      case degrees
      /// Anything; by default degrees, where no value lies beyond them.
      case open
      /// Lengths on a plane.
      case lengths
    }
  }

  /// Where shapes are stored.
  package let place: Place
  /// The columns that hold nothing but shapes, and need no field.
  package let consumed: Set<Int>
  /// What the coordinates of the layer mean; `nil` if that is unknown.
  package let reference: SpatialReference?
  /// Whether shapes without a number of their own are in ``reference``.
  let isReferenceOfPlainShapes: Bool

  /// Whether shapes are points, even where no row has one.
  var arePoints: Bool { if case .coordinates = place { true } else { false } }
}

extension CSVShapeColumns.Coordinates {
  /// The columns by their names; `nil` if there are none.
  init?(header: [String]) {
    for names in Self.names {
      guard let x = Self.first(of: names.x, in: header),
        let y = Self.first(of: names.y, in: header)
      else { continue }
      self.init(x: x, y: y, z: Self.heights(header), kind: names.kind)
      return
    }
    return nil
  }

  /// The columns that the user named, one or both; the other one is found by its name.
  ///
  /// `nil` if there is no other.
  init?(header: [String], x: Int?, y: Int?) {
    guard let x = x ?? Self.first(of: Self.names.flatMap { $0.x }, in: header),
      let y = y ?? Self.first(of: Self.names.flatMap { $0.y }, in: header)
    else { return nil }
    let kind = Self.names.first { $0.x.contains(header[x]) && $0.y.contains(header[y]) }?.kind
    self.init(x: x, y: y, z: Self.heights(header), kind: kind ?? .open)
  }

  private static func heights(_ header: [String]) -> Int? {
    first(of: heightNames, in: header)
  }

  private static func first(of names: [String], in header: [String]) -> Int? {
    names.lazy.compactMap { header.firstIndex(of: $0) }.first
  }

  /// The names in small letters, first those that ``CSVTarget`` gives where others are taken.
  private static let names: [(x: [String], y: [String], kind: Kind)] = [
    (["shape_longitude"], ["shape_latitude"], .degrees), (["shape_x"], ["shape_y"], .open),
    (
      ["longitude", "lon", "lng", "long", "decimallongitude"],
      ["latitude", "lat", "decimallatitude"], .degrees
    ),
    (["x"], ["y"], .open), (["point_x"], ["point_y"], .open),
    (["easting"], ["northing"], .lengths),
  ]

  /// What a `.prj` says, unless the names of the columns say otherwise.
  func honored(_ reference: SpatialReference?) -> SpatialReference? {
    kind == .degrees && reference?.isKnownGeographic == false ? nil : reference
  }

  /// Names of columns that are there for the shape alone.
  private static let plainHeightNames = ["shape_z", "z", "point_z"]
  /// The others tell of the thing as well, and stay fields.
  private static let heightNames = plainHeightNames + ["elevation", "altitude"]

  /// Whether the column of heights is there for the shape alone.
  func hasPlainHeights(_ header: [String]) -> Bool {
    z.map { Self.plainHeightNames.contains(header[$0]) } ?? false
  }
}
