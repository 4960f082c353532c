import Foundation
import PortolanFeatures
import PortolanJSON
import PortolanMap
import Testing

@testable import PortolanSymbols

/// Classes of labels and the features that they label.
struct LabelClassTests {
  @Test(arguments: [(-3600.0, true), (3600, false)])
  func `A condition on the present moment is met in the present`(
    _ seconds: Double, _ isLabelled: Bool
  ) throws {
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    let schema = FeatureTableSchema(
      name: "visits", fields: [Field("OBJECTID", .objectID), Field("ENDED", .date)])
    let json: JSONObject = [
      "where": "ENDED < CURRENT_TIMESTAMP", "labelExpressionInfo": ["expression": "'over'"],
    ]
    let labels = try LabelClass(
      LabelDefinition(json: json), schema, pixelsPerPoint: 1, opacity: 1, now: now)
    let attributes = Attributes(
      FieldList(schema.fields), [.integer(1), .date(now.addingTimeInterval(seconds))])
    #expect((labels.text(for: attributes) != nil) == isLabelled)
  }
}
