internal import PortolanGeometry

/// The header of a geometry blob, before the coordinates.
///
/// - SeeAlso: Docs/FORMATS.md, 2.7
struct GeometryBlobHeader: Hashable, Sendable {
  /// The classes of shape, by their number.
  enum ShapeClass: UInt8, Sendable {
    case point = 1
    case multipoint = 2
    case line = 5
    case polygon = 6

    /// Whether a pair of its own parts one run of vertices from the next.
    var hasSeparators: Bool { self == .line || self == .polygon }

    /// The kind of shape.
    var geometryType: GeometryType {
      switch self {
      case .point: .point
      case .multipoint: .multipoint
      case .line: .polyline
      case .polygon: .polygon
      }
    }
  }

  /// The first byte of every blob.
  static let mark: UInt8 = 0x64
  /// The bytes of a header without optional parts; no blob is shorter.
  static let leastLength = 18
  /// The most vertices that are written without a bounding box.
  static let mostVerticesWithoutBox = 10
  /// The bit of the entity that says that there are several parts.
  static let multipartBit: UInt8 = 0x40

  /// The spatial reference that the writer had in mind; the table's own is the one that counts.
  let srid: Int
  /// The pairs of coordinates, part separators among them.
  let pairCount: Int
  let shapeClass: ShapeClass
  /// Whether heights follow the pairs.
  let hasZ: Bool
  /// Whether measures follow.
  let hasM: Bool
  /// Whether the shape is simple, and whether it has several parts.
  let entity: UInt8
  /// The bounding box in numbers: least x, least y, greatest x, greatest y.
  let box: Box?
  /// The range of the coordinates' numbers.
  let stream: Range<Int>

  /// A box in the whole numbers of the blob.
  struct Box: Hashable, Sendable {
    var xMin: Int64
    var yMin: Int64
    var xMax: Int64
    var yMax: Int64
  }

  /// Whether there is no shape.
  var isNil: Bool { pairCount == 0 }
}

extension GeometryBlobHeader {
  /// The optional parts of the header that are there.
  private struct Layout: Equatable {
    var hasBox: Bool
    var hasPartList: Bool

    static let all = [
      Layout(hasBox: false, hasPartList: false), Layout(hasBox: true, hasPartList: false),
      Layout(hasBox: false, hasPartList: true), Layout(hasBox: true, hasPartList: true),
    ]
  }

  /// Reads the header of a blob.
  ///
  /// The optional parts are where the rules of the format put them; where that does not fit the
  /// bytes, the other combinations are tried.
  init(_ bytes: UnsafeRawBufferPointer) throws(GeometryBlobError) {
    guard bytes.count >= Self.leastLength, unsafe bytes[0] == Self.mark else {
      throw .notAGeometryBlob(byteCount: bytes.count)
    }
    let kind = unsafe bytes[8]
    guard let shapeClass = ShapeClass(rawValue: kind >> 2) else {
      throw .unknownClass(Int(kind >> 2))
    }
    let count = unsafe Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: Int32.self))
    guard count >= 0 else { throw .inconsistentHeader }
    let entity = unsafe bytes[9]
    let fixed = Fixed(
      pairCount: Int(count), shapeClass: shapeClass, kind: kind, entity: entity,
      srid: unsafe Int(bytes[1]) | Int(bytes[2]) << 8 | Int(bytes[3]) << 16)
    guard count > 0 else {
      self.init(fixed, rest: Rest(box: nil, stream: 0..<0, hasM: kind & 1 != 0))
      return
    }
    self.init(fixed, rest: try unsafe Self.rest(of: bytes, fixed))
  }

  /// The fields at fixed offsets.
  private struct Fixed {
    let pairCount: Int
    let shapeClass: ShapeClass
    let kind: UInt8
    let entity: UInt8
    let srid: Int

    var hasZ: Bool { kind & 2 != 0 }

    var expectedLayout: Layout {
      Layout(
        hasBox: pairCount > GeometryBlobHeader.mostVerticesWithoutBox,
        hasPartList: entity & GeometryBlobHeader.multipartBit != 0
          && shapeClass.hasSeparators)
    }
  }

  /// The fields after the optional parts.
  private struct Rest {
    let box: Box?
    let stream: Range<Int>
    let hasM: Bool
  }

  private init(_ fixed: Fixed, rest: Rest) {
    srid = fixed.srid
    pairCount = fixed.pairCount
    shapeClass = fixed.shapeClass
    hasZ = fixed.hasZ
    hasM = rest.hasM
    entity = fixed.entity
    box = rest.box
    stream = rest.stream
  }

  private static func rest(
    of bytes: UnsafeRawBufferPointer, _ fixed: Fixed
  ) throws(GeometryBlobError) -> Rest {
    let expected = fixed.expectedLayout
    let first = unsafe rest(of: bytes, fixed, expected)
    if let first, first.stream.upperBound == bytes.count { return first }
    for layout in Layout.all where layout != expected {
      if let other = unsafe rest(of: bytes, fixed, layout),
        other.stream.upperBound == bytes.count || first == nil
      {
        return other
      }
    }
    guard let first else { throw .inconsistentHeader }
    return first
  }

  /// The end of the header under an assumption, or `nil` if the assumption cannot be right.
  private static func rest(
    of bytes: UnsafeRawBufferPointer, _ fixed: Fixed, _ layout: Layout
  ) -> Rest? {
    var reader = unsafe VarintReader(bytes, in: 10..<bytes.count)
    do {
      let box = layout.hasBox ? try Box(&reader) : nil
      if layout.hasPartList { try skipPartList(&reader, pairCount: fixed.pairCount) }
      let slot = reader.offset
      guard slot + 8 <= bytes.count else { return nil }
      var slotReader = unsafe VarintReader(bytes, in: slot..<slot + 4)
      let size = Int(try slotReader.next())
      let dimensions = unsafe bytes[slot + 5]
      let hasM = dimensions & 2 != 0 || fixed.kind & 1 != 0
      // A number is at least a byte long, so the size bounds the vertices before any are read.
      let least = fixed.pairCount * (2 + (fixed.hasZ ? 1 : 0))
      guard (dimensions & 1 != 0) == fixed.hasZ, size >= least,
        size <= bytes.count - slot - 8
      else { return nil }
      return Rest(box: box, stream: slot + 8..<slot + 8 + size, hasM: hasM)
    } catch {
      // The caller continues to the next assumption and reports when none is left.
      return nil
    }
  }

  private static func skipPartList(
    _ reader: inout VarintReader, pairCount: Int
  ) throws(GeometryBlobError) {
    let separators = try reader.next()
    guard separators > 0, separators < pairCount else { throw .inconsistentHeader }
    var sum: Int64 = 0
    for _ in 0..<separators {
      let count = try reader.next()
      guard count > 0, count < pairCount else { throw .inconsistentHeader }
      sum += count
    }
    guard sum < pairCount else { throw .inconsistentHeader }
  }
}

extension GeometryBlobHeader.Box {
  fileprivate init(_ reader: inout VarintReader) throws(GeometryBlobError) {
    xMin = try reader.next()
    yMin = try reader.next()
    xMax = try reader.next()
    yMax = try reader.next()
    guard xMin <= xMax, yMin <= yMax else { throw .inconsistentHeader }
  }
}
