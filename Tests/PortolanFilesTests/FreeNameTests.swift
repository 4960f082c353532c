import PortolanFiles
import Testing

@Suite struct FreeNameTests {
  private static let names: [(String, [String], String)] = [
    ("Town", [], "Town"), ("Town", ["Town"], "Town (2)"),
    ("Town", ["Town", "Town (2)"], "Town (3)"), ("Route 66", ["Route 66"], "Route 66 (2)"),
    ("Area 1", ["Area 1", "Area 2"], "Area 1 (2)"),
    ("Area 1 (2)", ["Area 1", "Area 1 (2)"], "Area 1 (3)"), ("(2)", ["(2)"], "(2) (2)"),
    ("Harbor (old)", ["Harbor (old)"], "Harbor (old) (2)"), ("", [""], " (2)"),
    ("Survey (2024)", ["Survey (2024)"], "Survey (2024) (2)"),
    ("Survey (2024) (2)", ["Survey (2024) (2)"], "Survey (2024) (3)"),
  ]

  @Test(arguments: names)
  func `A number of its own keeps a name, and makes one that is taken another`(
    _ wanted: String, _ taken: [String], _ free: String
  ) {
    #expect(FreeName.like(wanted) { taken.contains($0) } == free)
  }
}
