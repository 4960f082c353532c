import Foundation
import PortolanApp
import PortolanCrypto
import PortolanJSON
import Testing

@testable import PortolanWeb

/// The actions of several browsers on the map that is open in all of them.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct TwoBrowserTests {
  @Test func `Of two places that are asked for at once nobody gets the features of the other's`()
    async throws
  {
    try await withDemo { web in
      let (first, second) = (try await FakeBrowser(web), try await FakeBrowser(web))
      try await first.openCascoBay()
      let light = Data(#"{"longitude": -70.2079, "latitude": 43.6231, "scale": 50000}"#.utf8)
      let nowhere = Data(#"{"longitude": 10, "latitude": 10, "scale": 50000}"#.utf8)
      async let one = first.answer(to: "/api/map/identify", body: light)
      async let other = second.answer(to: "/api/map/identify", body: nowhere)
      let answers = [(try await one, 1), (try await other, 0)]
      for (answer, count) in answers {
        let found = try JSONValue(parsing: answer.data)
        #expect(answer.status == 409 || found["pages"]?.array?.count == count, "\(found.text())")
      }
      // Whoever asked last gets an answer.
      #expect(answers.contains { answer, _ in answer.status == 200 })
    }
  }

  @Test func `A late answer about a map that was closed does not number the open one anew`()
    async throws
  {
    try await withDemo { web in
      let browser = try await FakeBrowser(web)
      try await browser.openCascoBay()
      let app = web.handler.actions.app
      let closed = try #require(app.map)
      let id = try #require(app.storedID)
      try await browser.post("map/close", [:])
      try await browser.post("map/open", ["id": .string(id)])
      let open = try #require(app.map)
      let revisions = MapRevisions(random: .system)
      let numbers = [closed, open, closed, open].map { revisions.opening(of: $0) }
      #expect(numbers[0] == numbers[2] && numbers[1] == numbers[3] && numbers[0] != numbers[1])
    }
  }

  @Test func `A page learns that another has changed what it shows, and shows it as it is now`()
    async throws
  {
    try await withDemo { web in
      let (first, second) = (try await FakeBrowser(web), try await FakeBrowser(web))
      try await first.openCascoBay()
      let place: JSONValue = ["longitude": -70.2079, "latitude": 43.6231, "scale": 50_000]
      let shown = try await first.post("map/identify", place)
      let feature: JSONValue = [
        "layer": try #require(shown["selection"]?["layerId"]),
        "objectID": try #require(shown["selection"]?["objectId"]),
        "opening": try #require(shown["opening"]),
      ]
      #expect(try await first.post("map/feature", feature)["seenPopup"] == shown["seenPopup"])
      try await second.post("map/identify", place)
      let form = try #require(try await second.post("map/form", feature)["form"])
      try await second.post(
        "map/form-set", ["field": "Name", "text": "Second Light", "form": form])
      try await second.post("map/form-submit", ["form": form])

      let reads = try #require(shown["featureReads"]?.integer)
      _ = try await first.event("map") { ($0["featureReads"]?.integer ?? 0) > reads }
      let seen = try await first.post("map/feature", feature)["seenPopup"]
      #expect(seen != shown["seenPopup"] && seen != .null)
      let latest = try await first.post("map/feature-show", feature)
      #expect(latest["selection"]?["title"] == "Second Light" && latest["seenPopup"] == seen)
      let attach =
        "/api/map/attach?layer=lighthouses&objectID=\(feature["objectID"]?.integer ?? 0)&name=a.txt"
      #expect(try await second.answer(to: attach, body: Data("a".utf8)).status == 200)
      let other = try await first.post("map/feature", feature)["seenPopup"]
      #expect(other != seen && other != .null)
      try await second.post("map/remove", feature)
      #expect(try await first.post("map/feature", feature)["seenPopup"] == .null)
    }
  }

  @Test func `After an edit a page shows what it has edited, whatever others have found meanwhile`()
    async throws
  {
    try await withDemo { web in
      let (first, second) = (try await FakeBrowser(web), try await FakeBrowser(web))
      try await first.openCascoBay()
      let light: JSONValue = ["longitude": -70.2079, "latitude": 43.6231, "scale": 50_000]
      let nowhere: JSONValue = ["longitude": 10, "latitude": 10, "scale": 50_000]
      let shown = try await first.post("map/identify", light)
      let objectID = try #require(shown["selection"]?["objectId"])
      var edit: JSONObject = [
        "layer": "lighthouses", "objectID": objectID, "question": try #require(shown["question"]),
      ]
      let form = try #require(try await first.post("map/form", .object(edit))["form"])
      try await first.post("map/form-set", ["field": "Name", "text": "Mine", "form": form])
      try await second.post("map/identify", nowhere)
      let stored = try await first.post("map/form-submit", ["form": form])
      #expect(stored["popups"]?["selection"]?["objectId"] == objectID)
      #expect(stored["popups"]?["selection"]?["title"] == "Mine")

      edit["question"] = stored["popups"]?["question"]
      edit["parts"] = [[[-70.2078, 43.6232]]]
      let moved = try await first.post("map/move", .object(edit))
      #expect(moved["question"] == edit["question"] && moved["edit"]?.string != nil)
      try await second.post("map/identify", nowhere)
      let again = try await first.post("map/move", .object(edit))
      #expect(again["selection"]?["objectId"] == objectID)
      #expect(again["question"] != edit["question"])
    }
  }

  @Test func `A page turns to the feature that it shows, wherever it is among those found by now`()
    async throws
  {
    try await withDemo { web in
      let browser = try await FakeBrowser(web)
      try await browser.openCascoBay()
      let shown = try await browser.post(
        "map/identify", ["longitude": -70.2079, "latitude": 43.6231, "scale": 50_000])
      let (layer, id) = (
        try #require(shown["selection"]?["layerId"]), try #require(shown["selection"]?["objectId"])
      )
      let again = try await browser.post(
        "map/popup", ["index": 7, "layer": layer, "objectID": id])
      #expect(again["selection"]?["objectId"] == id)
      for action in ["popup", "related"] {
        let gone: JSONValue = ["index": 0, "name": "", "layer": layer, "objectID": -1]
        let answer = try await browser.answer(to: "/api/map/\(action)", body: gone.encoded())
        #expect(answer.status == 404, "\(action)")
      }
    }
  }
}
