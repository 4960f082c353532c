import Foundation
import PortolanJSON
import PortolanMap
import PortolanTestSupport
import Testing

@testable import PortolanDrawing
@testable import PortolanRendering
@testable import PortolanVectorTiles

/// Each property that counts as drawn is: the picture is another one with it.
@Suite(.temporaryDirectory) struct StylePropertyTests {
  /// A property with a value, and what else has to be there for it to show.
  struct Row: Sendable {
    var kind: StyleLayer.Kind
    var name: String
    var value: JSONValue
    var besides: JSONObject
    /// Only in views that are turned what belongs to the map differs from what does not.
    var isTurned: Bool

    init(
      _ kind: StyleLayer.Kind, _ name: String, _ value: JSONValue, _ besides: JSONObject = [:],
      turned: Bool = false
    ) {
      self.kind = kind
      self.name = name
      self.value = value
      self.besides = besides
      isTurned = turned
    }
  }

  @Test func `Every property that counts as drawn is in the table`() {
    // Those of tiles that are pictures, and these two, have tests of their own.
    let others: Set<String> = ["line-gradient", "text-writing-mode"]
    for (kind, names) in StyleProperty.followed where !kind.drawsPictures {
      let tried = Set(StylePropertyRows.all.filter { $0.kind == kind }.map(\.name))
      #expect(tried == names.subtracting(others))
    }
  }

  @Test(arguments: StylePropertyRows.all.indices)
  func `A property changes the picture`(_ index: Int) async throws {
    let row = StylePropertyRows.all[index]
    var with = row.besides
    with[row.name] = row.value
    let plain = try await Self.picture(row, row.besides)
    let changed = try await Self.picture(row, with)
    // Rows without letters of the package use those of this machine, and say so.
    let told = (plain.omissions + changed.omissions).filter { !$0.reason.contains("this machine") }
    #expect(told == [], "\(row.name)")
    #expect(plain.data != changed.data, "\(row.name)")
  }

  private static func picture(_ row: Row, _ properties: JSONObject) async throws -> MapPicture {
    var all: JSONObject =
      row.kind == .symbol && properties["icon-image"] == nil
      ? ["text-field": "{name}", "text-size": 12] : [:]
    for member in properties.members { all[member.name] = member.value }
    let isLayout = { (name: String) in StylePropertyRows.layout.contains(name) }
    let layout = all.members.filter { isLayout($0.name) || name(row.kind, $0.name) }
    let paint = all.members.filter { member in !layout.contains { $0.name == member.name } }
    var source =
      ["fill": "areas", "fill-extrusion": "areas", "line": "lines"][row.kind.rawValue] ?? "points"
    if all["symbol-placement"] != nil { source = "lines" }
    let style = StyledTilePictureTests.style([
      [
        "id": "probed", "type": .string(row.kind.rawValue), "source-layer": .string(source),
        "layout": .object(JSONObject(layout)), "paint": .object(JSONObject(paint)),
      ]
    ])
    return try await DrawnStyle.picture(
      style, tile: StylePropertyRows.tile, resources: try MadeSprites.resources(), width: 200,
      height: 140, rotation: row.isTurned ? 40 : 0)
  }

  /// Whether a property of symbols stands in the layout.
  private static func name(_ kind: StyleLayer.Kind, _ name: String) -> Bool {
    kind == .symbol && !["color", "opacity", "halo", "translate"].contains { name.contains($0) }
  }
}
