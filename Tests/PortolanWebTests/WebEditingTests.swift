import Foundation
import PortolanJSON
import PortolanTransport
import Testing

@testable import PortolanWeb

/// The editing of features and layers of the open map, as the requests of the page.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct WebEditingTests {
  @Test func `An attachment is shown where nothing of it can act, and saved otherwise`()
    async throws
  {
    let cases: [(name: String, contents: String?, type: String, use: String)] = [
      ("portland-head-light.png", nil, "image/png", "inline"),
      ("portland-head-light.txt", nil, "text/plain; charset=utf-8", "inline"),
      ("plan.pdf", "%PDF-1.7", "application/pdf", "inline"),
      ("page.html", "<script></script>", "application/octet-stream", "attachment"),
      ("page.txt", "a\0b", "application/octet-stream", "attachment"),
      ("side view 1+1.txt", "a", "text/plain; charset=utf-8", "inline"),
    ]
    try await withBrowser { browser in
      try await browser.openCascoBay()
      var light = try await identifyLight(browser)
      let target =
        "layer=\(light["layerId"]?.string ?? "")&objectID=\(light["objectId"]?.integer ?? 0)"
      for case (let name, let contents?, _, _) in cases {
        // As the page writes it.
        let encoded = name.replacing("+", with: "%2B").replacing(" ", with: "+")
        let path = "/api/map/attach?\(target)&name=\(encoded)"
        #expect(try await browser.answer(to: path, body: Data(contents.utf8)).status == 200)
      }
      light = try await identifyLight(browser)
      for (name, _, type, use) in cases {
        let attachment = light["attachments"]?.array?.first { $0["name"]?.string == name }
        let number = try #require(attachment?["id"]?.integer)
        let answer = try await browser.get("/api/attachments/\(number)?\(target)")
        #expect(answer.headers["Content-Type"] == type, "\(name)")
        #expect(answer.headers["Content-Disposition"]?.hasPrefix(use) == true, "\(name)")
      }
    }
  }

  @Test func `A view is kept as a bookmark, and only such a one is removed`() async throws {
    try await withBrowser { browser in
      try await browser.openCascoBay()
      try await browser.post(
        "map/bookmark-add",
        ["name": "Leak site", "longitude": -70.2, "latitude": 43.6, "scale": 9_000])
      let map = try await browser.event("map") {
        $0["bookmarks"]?.array?.last?["name"] == "Leak site"
      }
      let bookmarks = try #require(map["bookmarks"]?.array)
      #expect(bookmarks.last?["own"] == true && bookmarks.last?["scale"]?.double == 9_000)
      #expect(bookmarks.first?["own"] == nil)
      let name = try #require(bookmarks.first?["name"])
      let refusal = try await browser.answer(
        to: "/api/map/bookmark-remove", body: (["name": name] as JSONValue).encoded())
      #expect(refusal.status != 200)
      try await browser.post("map/bookmark-remove", ["name": "Leak site"])
      _ = try await browser.event("map") { $0["bookmarks"]?.array?.count == bookmarks.count - 1 }
    }
  }

  @Test func `An attachment is replaced, removed, and put back by undo`() async throws {
    try await withBrowser { browser in
      try await browser.openCascoBay()
      let light = try await identifyLight(browser)
      let names = self.names(of: light)
      let target: JSONObject = [
        "layer": try #require(light["layerId"]), "objectID": try #require(light["objectId"]),
      ]
      let place =
        "/api/map/attach?layer=\(target["layer"]?.string ?? "")"
        + "&objectID=\(target["objectID"]?.integer ?? 0)"
      #expect(
        try await browser.answer(to: place + "&name=a.txt", body: Data("a".utf8)).status == 200)
      let attached = try #require(
        try await identifyLight(browser)["attachments"]?.array?.first { $0["name"] == "a.txt" })
      let id = try #require(attached["id"]?.integer)
      let other = place + "&name=b.txt&attachment=\(id)"
      #expect(try await browser.answer(to: other, body: Data("bb".utf8)).status == 200)
      #expect(try await self.names(of: identifyLight(browser)) == names.union(["b.txt"]))
      let feature = place.split(separator: "?")[1]
      #expect(try await browser.get("/api/attachments/\(id)?\(feature)").data == Data("bb".utf8))
      // One of another feature is not given for it.
      #expect(
        try await browser.get("/api/attachments/\(id)?layer=lighthouses&objectID=0").status == 404)

      var removal = target
      removal["attachment"] = .integer(id)
      let popups = try await browser.post("map/detach", .object(removal))
      #expect(self.names(of: popups["selection"]) == names)
      try await browser.post("map/undo", [:])
      #expect(try await self.names(of: identifyLight(browser)) == names.union(["b.txt"]))
      // One of another feature is not touched, whoever asks for it.
      removal["objectID"] = .integer((target["objectID"]?.integer ?? 0) + 1)
      let body = JSONValue.object(removal).encoded()
      #expect(try await browser.answer(to: "/api/map/detach", body: body).status >= 400)
      for id in ["none", "999999"] {
        let path = place + "&name=c.txt&attachment=\(id)"
        #expect(try await browser.answer(to: path, body: Data("c".utf8)).status >= 400, "\(id)")
      }
    }
  }

  private func names(of light: JSONValue?) -> Set<String> {
    Set((light?["attachments"]?.array ?? []).compactMap { $0["name"]?.string })
  }

  @Test func `A feature that was added is shown, and no longer once that was undone`()
    async throws
  {
    try await withBrowser { browser in
      try await browser.openCascoBay()
      let before = try await identifyLight(browser)
      let form = try #require(
        try await browser.post(
          "map/form", ["layer": "lighthouses", "parts": [[[-70.2, 43.6]]]])["form"])
      try await browser.post(
        "map/form-set", ["field": "Name", "text": "New Light", "form": form])
      let stored = try await browser.post("map/form-submit", ["form": form])
      let shown = try #require(stored["popups"]?["selection"])
      #expect(shown["title"] == "New Light" && shown["objectId"] == stored["objectID"])
      #expect(shown["objectId"] != before["objectId"])
      #expect(stored["popups"]?["pages"]?.array?.count == 1)
      try await browser.post("map/undo", [:])
      let answer = try await browser.answer(
        to: "/api/map/popup", body: (["index": 0] as JSONValue).encoded())
      #expect(answer.status == 404)
    }
  }

  @Test func `A feature that was added goes on in another form, and its first takes nothing more`()
    async throws
  {
    try await withBrowser { browser in
      try await browser.openCascoBay()
      let first = try #require(
        try await browser.post(
          "map/form", ["layer": "lighthouses", "parts": [[[-70.2, 43.6]]]])["form"])
      try await browser.post(
        "map/form-set", ["field": "Name", "text": "New Light", "form": first])
      let stored = try await browser.post("map/form-submit", ["form": first])
      let late: JSONValue = ["field": "Name", "text": "Newer Light", "form": first]
      #expect(try await browser.answer(to: "/api/map/form-set", body: late.encoded()).status == 404)

      let second = try await browser.post(
        "map/form",
        [
          "layer": "lighthouses", "objectID": try #require(stored["objectID"]),
          "question": try #require(stored["popups"]?["question"]),
        ])
      #expect(second["purpose"] == "update" && second["isChanged"] == false)
      let own = try #require(second["form"])
      try await browser.post(
        "map/form-set", ["field": "Name", "text": "Newer Light", "form": own])
      let again = try await browser.post("map/form-submit", ["form": own])
      #expect(again["objectID"] == stored["objectID"])
      #expect(again["popups"]?["selection"]?["title"] == "Newer Light")
    }
  }

  @Test func `A form that is submitted twice at once is stored once`() async throws {
    try await withBrowser { browser in
      try await browser.openCascoBay()
      let form = try #require(
        try await browser.post(
          "map/form", ["layer": "lighthouses", "parts": [[[-70.2, 43.6]]]])["form"])
      try await browser.post(
        "map/form-set", ["field": "Name", "text": "New Light", "form": form])
      let body = JSONValue.object(["form": form]).encoded()
      async let first = browser.answer(to: "/api/map/form-submit", body: body)
      async let second = browser.answer(to: "/api/map/form-submit", body: body)
      let statuses = [try await first.status, try await second.status]
      #expect(statuses.sorted() == [200, 404])
      let changes = try await browser.post("map/changes", [:])
      #expect(
        changes["tables"]?.array?.first { $0["changes"] != [] }?["changes"]?.array?.count == 1)
    }
  }

  @Test
  func `Of two browsers that change one field the second is refused, not stored over it`()
    async throws
  {
    try await withDemo { web in
      let (first, second) = (try await FakeBrowser(web), try await FakeBrowser(web))
      try await first.openCascoBay()
      let light = try await identifyLight(first)
      let target: JSONValue = [
        "layer": try #require(light["layerId"]), "objectID": try #require(light["objectId"]),
      ]
      let own = try #require(try await first.post("map/form", target)["form"])
      let other = try #require(try await second.post("map/form", target)["form"])
      try await first.post(
        "map/form-set", ["field": "Name", "text": "First Light", "form": own])
      try await second.post(
        "map/form-set", ["field": "Name", "text": "Second Light", "form": other])
      // Nobody stores what another has written.
      #expect(
        try await second.answer(
          to: "/api/map/form-submit", body: JSONValue.object(["form": own]).encoded()
        ).status == 404)
      try await first.post("map/form-submit", ["form": own])
      let answer = try await second.answer(
        to: "/api/map/form-submit", body: JSONValue.object(["form": other]).encoded())
      let problem = try JSONValue(parsing: answer.data)["problem"]
      #expect(answer.status == 409 && problem?["code"] == "changed-meanwhile")
      #expect(try await identifyLight(second)["title"] == "First Light")
    }
  }

  @Test func `Two pages of one browser have a form each, and an open that fails takes none away`()
    async throws
  {
    try await withBrowser { browser in
      try await browser.openCascoBay()
      let new: JSONValue = ["layer": "lighthouses", "parts": [[[-70.2, 43.6]]]]
      let first = try #require(try await browser.post("map/form", new)["form"])
      let second = try #require(try await browser.post("map/form", new)["form"])
      for (form, name) in [(first, "First"), (second, "Second")] {
        try await browser.post(
          "map/form-set", ["field": "Name", "text": .string(name), "form": form])
      }
      let none = try await browser.answer(
        to: "/api/map/open", body: Data(#"{"id": "no-such-map"}"#.utf8))
      #expect(none.status == 404)
      try await browser.post("map/form-cancel", ["form": second])
      let stored = try await browser.post("map/form-submit", ["form": first])
      #expect(stored["objectID"]?.integer != nil)
      let changes = try await browser.post("map/changes", [:])
      let titles = changes["tables"]?.array?.flatMap { $0["changes"]?.array ?? [] }
        .compactMap { $0["title"]?.string }
      #expect(titles == ["First"])
    }
  }

  @Test func `What one page has found is not turned to another page's features`() async throws {
    try await withDemo { web in
      let (first, second) = (try await FakeBrowser(web), try await FakeBrowser(web))
      try await first.openCascoBay()
      let place: JSONValue = ["longitude": -70.2079, "latitude": 43.6231, "scale": 50_000]
      let own = try #require(try await first.post("map/identify", place)["question"])
      let other = try #require(try await second.post("map/identify", place)["question"])
      for action in ["map/popup", "map/related-back", "map/popup-close"] {
        let body = JSONValue.object(["index": 0, "question": own]).encoded()
        #expect(try await first.answer(to: "/api/\(action)", body: body).status == 409, "\(action)")
      }
      let popups = try await second.post("map/popup", ["index": 0, "question": other])
      #expect(popups["selection"]?["title"] == "Portland Head Light")
    }
  }

  @Test func `An edit is undone by its number only while none has come after it`() async throws {
    try await withBrowser { browser in
      try await browser.openCascoBay()
      var edits: [JSONValue] = []
      for name in ["First", "Second"] {
        let form = try #require(
          try await browser.post(
            "map/form", ["layer": "lighthouses", "parts": [[[-70.2, 43.6]]]])["form"])
        try await browser.post(
          "map/form-set", ["field": "Name", "text": .string(name), "form": form])
        let stored = try await browser.post("map/form-submit", ["form": form])
        edits.append(try #require(stored["popups"]?["edit"]))
      }
      let early = JSONValue.object(["edit": edits[0]]).encoded()
      #expect(try await browser.answer(to: "/api/map/undo", body: early).status == 409)
      // One of another map, and what is none.
      for (edit, status) in [("1-1", 409), (1, 400)] as [(JSONValue, Int)] {
        let body = JSONValue.object(["edit": edit]).encoded()
        #expect(try await browser.answer(to: "/api/map/undo", body: body).status == status)
      }
      #expect(try await browser.post("map/undo", ["edit": edits[1]])["undone"] == 1)
      #expect(
        try await browser.answer(
          to: "/api/map/undo", body: JSONValue.object(["edit": edits[1]]).encoded()
        ).status == 409)
      #expect(try await browser.post("map/undo", ["edit": edits[0]])["undone"] == 1)
    }
  }

  @Test func `An edit of a map that is no longer open befalls no feature of the one that is`()
    async throws
  {
    try await withDemo { web in
      let (first, second) = (try await FakeBrowser(web), try await FakeBrowser(web))
      try await first.openCascoBay()
      let light = try await first.post(
        "map/identify", ["longitude": -70.2079, "latitude": 43.6231, "scale": 50_000])
      let opening = try #require(light["opening"])
      let shown = try await first.event("map") { $0["title"] == "Casco Bay" }
      #expect(shown["opening"] == opening)
      let stored = try await first.row("Casco Bay") { $0["state"] == "stored" }
      // The second browser opens it anew, as any other map.
      try await second.post("map/close", [:])
      try await second.post("map/open", ["id": try #require(stored["id"])])
      let edit: JSONObject = [
        "layer": "lighthouses", "objectID": 1, "attachment": 1, "opening": opening,
        "parts": [[[-70.2, 43.6]]],
      ]
      for action in ["map/remove", "map/move", "map/detach", "map/undo", "map/form"] {
        let body = JSONValue.object(edit).encoded()
        #expect(try await first.answer(to: "/api/\(action)", body: body).status == 409)
      }
      let path =
        "/api/map/attach?layer=lighthouses&objectID=1&name=a.txt&opening=\(opening.integer ?? 0)"
      #expect(try await first.answer(to: path, body: Data("a".utf8)).status == 409)
      let changes = try await first.post("map/changes", [:])
      #expect(changes["tables"]?.array?.allSatisfy { $0["changes"] == [] } == true)
    }
  }

  @Test func `A feature that another user changed is neither moved nor deleted unseen`()
    async throws
  {
    try await withDemo { web in
      let (first, second) = (try await FakeBrowser(web), try await FakeBrowser(web))
      try await first.openCascoBay()
      let place: JSONValue = ["longitude": -70.2079, "latitude": 43.6231, "scale": 50_000]
      func edit(_ found: JSONValue) throws -> JSONObject {
        let selection = try #require(found["selection"])
        return [
          "layer": try #require(selection["layerId"]),
          "objectID": try #require(selection["objectId"]), "seen": try #require(found["seen"]),
          "parts": [[[-70.2078, 43.6232]]],
        ]
      }
      let outdated = try edit(try await first.post("map/identify", place))
      let latest = try edit(try await second.post("map/identify", place))
      #expect(latest["seen"] == outdated["seen"])
      try await second.post("map/move", .object(latest))
      for action in ["map/move", "map/remove"] {
        let answer = try await first.answer(
          to: "/api/\(action)", body: JSONValue.object(outdated).encoded())
        let problem = try JSONValue(parsing: answer.data)["problem"]
        #expect(answer.status != 200 && problem?["code"]?.string == "changed-meanwhile")
      }
      try await first.post("map/remove", .object(try edit(await first.post("map/identify", place))))
    }
  }

  @Test func `A further page of a search is of that search, whatever another page has asked`()
    async throws
  {
    try await withDemo { web in
      let (first, second) = (try await FakeBrowser(web), try await FakeBrowser(web))
      var question: JSONObject = ["text": "Maine", "kinds": ["Web Map"]]
      let found = try await first.post("portal/search", .object(question))
      #expect(found["page"] == 1 && found["items"]?.array?.isEmpty == false)
      try await second.post("portal/search", ["text": "nothing of that name", "kinds": []])
      question["page"] = 2
      let more = try await first.post("portal/search", .object(question))
      #expect(more["page"] == 2 && more["text"] == "Maine")
    }
  }

  // MARK: - The lighthouse

  private func identifyLight(_ browser: FakeBrowser) async throws -> JSONValue {
    let found = try await browser.post(
      "map/identify", ["longitude": -70.2079, "latitude": 43.6231, "scale": 50_000])
    return try #require(found["selection"])
  }
}
