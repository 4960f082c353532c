import PortolanMap
import Testing

/// The credits of a map, where several of its layers come from the same.
@Suite struct CreditNamesTests {
  @Test(
    arguments: [
      (["USGS", "USGS"], ["USGS"]), (["USGS", "usgs.", " USGS "], ["USGS"]),
      (["Esri, HERE", "Esri", "Esri, HERE, Garmin"], ["Esri, HERE, Garmin"]),
      (["Esri", "Esri, HERE"], ["Esri, HERE"]),
      (["Esri, HERE", "HERE, Esri"], ["Esri, HERE", "HERE, Esri"]),
      (["HERE", "HERE Maps"], ["HERE", "HERE Maps"]),
      (["Portland, Maine", "Bangor, Maine"], ["Portland, Maine", "Bangor, Maine"]),
      (["", ". ,", "NOAA"], ["NOAA"]), ([], []),
    ] as [([String], [String])])
  func `Each credit is named once, and none is lost`(_ names: [String], _ shown: [String]) {
    #expect(CreditNames.once(names) == shown)
  }

  @Test(
    arguments: [
      (["USGS", " NOAA "], "USGS, NOAA"), ([], ""), (["Esri Inc.", "HERE"], "Esri Inc., HERE"),
      (["Data of the U.S.", "HERE"], "Data of the U.S., HERE"),
      (
        ["USGS", "Made for the project.", "Facts: the office", "HERE"],
        "USGS, Made for the project. Facts: the office, HERE"
      ),
      (["Thanks to all!", "NOAA"], "Thanks to all! NOAA"),
    ] as [([String], String)])
  func `Credits become one text in which no comma follows the end of a sentence`(
    _ names: [String], _ text: String
  ) {
    #expect(CreditNames.text(of: names) == text)
  }
}
