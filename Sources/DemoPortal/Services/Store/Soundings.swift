internal import Foundation
internal import PortolanFeatures
internal import PortolanGeometry

/// Invented depths of the Gulf of Maine: as many rows as a test wants, the same
/// ones every time.
struct Soundings {
  /// The number of rows.
  let count: Int

  /// The sea between Cape Cod and Nova Scotia, in metres of the Web Mercator.
  private static let extent = Envelope(
    xMin: -7_800_000, yMin: 5_200_000, xMax: -7_450_000, yMax: 5_450_000)
  private static let first = Date(timeIntervalSince1970: 1_500_000_000)

  private static let schema = FeatureTableSchema(
    name: "Soundings", geometryType: .point, spatialReference: .webMercator,
    fields: [
      Field("OBJECTID", .objectID, isNullable: false, isEditable: false),
      Field("SURVEY", .string, alias: "Survey", length: 20),
      Field("DEPTH_M", .double, alias: "Depth (metres)"),
      Field("TAKEN", .date, alias: "Taken on"),
      Field("GlobalID", .globalID, length: 38, isNullable: false, isEditable: false),
    ], globalIDField: "GlobalID", displayField: "SURVEY", isChangeTracked: true,
    serviceLayerID: 0)

  /// The rows as services hold them.
  var table: HostedTable {
    let fields = FieldList(Self.schema.fields)
    return HostedTable(
      schema: Self.schema, features: (0..<max(0, count)).map { Self.row($0, fields) })
  }

  private static func row(_ index: Int, _ fields: FieldList) -> Feature {
    // Steps of the golden ratio and of its square spread points evenly, however many they are.
    let (across, up) = (
      fraction(index, 0.754_877_666_246_693), fraction(index, 0.569_840_290_998_053)
    )
    let id = Int64(index + 1)
    let digits = String(id, radix: 16, uppercase: true)
    let globalID = "{50000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
    return Feature(
      objectID: id,
      attributes: Attributes(
        fields,
        [
          .integer(id), .text("S-\(index / 500 + 1)"),
          .double((20 + 180 * across * up).rounded()),
          .date(first.addingTimeInterval(Double(index) * 60)), .text(globalID + digits + "}"),
        ]),
      geometry: .point(
        Point(x: extent.xMin + across * extent.width, y: extent.yMin + up * extent.height)))
  }

  private static func fraction(_ index: Int, _ step: Double) -> Double {
    (Double(index) * step).truncatingRemainder(dividingBy: 1)
  }
}
