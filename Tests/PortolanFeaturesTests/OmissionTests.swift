import PortolanFeatures
import Testing

/// The messages about content that a format cannot hold.
struct OmissionTests {
  @Test(arguments: [
    (Omission.Content.subtypes, "\"Parks\": its subtypes."),
    (.relationship("ParkTrails"), "\"Parks\": the relation \"ParkTrails\"."),
    (.values(field: "NAME", rowCount: 1), "\"Parks\": values of \"NAME\" in 1 row."),
    (.values(field: "NAME", rowCount: 3), "\"Parks\": values of \"NAME\" in 3 rows."),
    (.attachments(count: 2), "\"Parks\": 2 attachments."),
  ])
  func `An omission says what is missing and where`(content: Omission.Content, text: String) {
    #expect(Omission(table: "Parks", content).summary == text)
  }
}
