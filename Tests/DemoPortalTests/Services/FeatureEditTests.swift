import DemoPortal
import Foundation
import PortolanJSON
import Testing

/// Edits to hosted layers.
@Suite struct FeatureEditTests {
  private static let layer = "\(ServiceClient.maine)/1"
  private static let newID = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"

  private static let newLighthouse = """
    [{"attributes":{"NAME":"New light","FIRST_LIT":1999,"GlobalID":"{\(newID.uppercased())}"},
    "geometry":{"x":-68,"y":44,"spatialReference":{"wkid":4326}}}]
    """

  @Test func `Features are added, changed and deleted in one request`() async throws {
    let client = try ServiceClient()
    let answer = try await client.json(
      "\(Self.layer)/applyEdits",
      [
        "f": "json", "adds": Self.newLighthouse, "useGlobalIds": "false",
        "updates": #"[{"attributes":{"OBJECTID":1,"NAME":"Renamed"}}]"#, "deletes": "2",
      ])
    let id = try #require(answer["addResults"]?[0]?["objectId"]?.int)
    #expect(answer["addResults"]?[0]?["success"]?.bool == true)
    #expect(answer["addResults"]?[0]?["globalId"]?.string != Self.newID)
    #expect(answer["updateResults"]?[0]?["success"]?.bool == true)
    #expect(answer["deleteResults"]?[0]?["objectId"]?.int == 2)
    let after = try await client.json(
      "\(Self.layer)/query", ["objectIds": "1,2,\(id)", "outFields": "NAME"])
    let names = after["features"]?.array?.compactMap { $0["attributes"]?["NAME"]?.string }
    #expect(names == ["Renamed", "New light"])
    let x = try #require(after["features"]?[1]?["geometry"]?["x"]?.double)
    #expect(abs(x + 7_569_725.4) < 0.1)
  }

  @Test func `One failure rolls everything back by default`() async throws {
    let client = try ServiceClient()
    let before = try await client.json(
      "\(Self.layer)/query", ["where": "1=1", "returnCountOnly": "true"])
    let edits: KeyValuePairs = [
      "adds": Self.newLighthouse, "updates": #"[{"attributes":{"OBJECTID":999,"NAME":"x"}}]"#,
    ]
    let answer = try await client.json("\(Self.layer)/applyEdits", edits)
    #expect(answer["addResults"]?[0]?["error"]?["code"]?.int == 1003)
    #expect(answer["updateResults"]?[0]?["success"]?.bool == false)
    #expect(answer["updateResults"]?[0]?["error"]?["description"]?.string != nil)
    let after = try await client.json(
      "\(Self.layer)/query", ["where": "1=1", "returnCountOnly": "true"])
    #expect(before == after)
    let kept = try await client.json(
      "\(Self.layer)/applyEdits",
      ["adds": Self.newLighthouse, "deletes": "999", "rollbackOnFailure": "false"])
    #expect(kept["addResults"]?[0]?["success"]?.bool == true)
    #expect(kept["deleteResults"]?[0]?["success"]?.bool == false)
    #expect(kept["deleteResults"]?[0]?["objectId"]?.int == 999)
    #expect(answer["updateResults"]?[0]?["objectId"]?.int == 999)
  }

  @Test func `Clients may give rows their global ids, each once`() async throws {
    let client = try ServiceClient()
    let answer = try await client.json(
      "\(Self.layer)/applyEdits", ["adds": Self.newLighthouse, "useGlobalIds": "true"])
    #expect(answer["addResults"]?[0]?["globalId"]?.string == Self.newID)
    let again = try await client.json(
      "\(Self.layer)/applyEdits", ["adds": Self.newLighthouse, "useGlobalIds": "true"])
    #expect(again["addResults"]?[0]?["success"]?.bool == false)
    let deleted = try await client.json(
      "\(Self.layer)/applyEdits",
      ["deletes": "[\"{\(Self.newID)}\"]", "useGlobalIds": "true"])
    #expect(deleted["deleteResults"]?[0]?["success"]?.bool == true)
  }

  @Test func `Edits of several layers come with their results by layer`() async throws {
    let answer = try await ServiceClient().json(
      "\(ServiceClient.maine)/applyEdits",
      [
        "edits":
          #"[{"id":0,"deletes":[1]},{"id":6,"adds":[{"attributes":{"EVENT":"Seen"}}]}]"#
      ])
    #expect(answer[0]?["deleteResults"]?[0]?["success"]?.bool == true)
    #expect(answer[1]?["id"]?.int == 6)
    #expect(answer[1]?["addResults"]?[0]?["success"]?.bool == true)
  }

  @Test func `A value outside its domain is refused with a reason`() async throws {
    let answer = try await ServiceClient().json(
      "\(Self.layer)/addFeatures", ["features": #"[{"attributes":{"ACCESS":77}}]"#])
    #expect(answer["addResults"]?[0]?["success"]?.bool == false)
    #expect(answer["updateResults"] == nil)
  }

  @Test func `A service that only answers queries is not edited`() async throws {
    let answer = try await ServiceClient().json(
      "\(ServiceClient.towns)/0/applyEdits", ["deletes": "1"])
    #expect(answer["error"]?["code"]?.int == 400)
  }
}

/// Attachments of hosted layers, and uploads.
@Suite struct AttachmentTests {
  private static let layer = "\(ServiceClient.maine)/1"

  @Test func `Attachments are listed and handed out`() async throws {
    let client = try ServiceClient()
    let list = try await client.json("\(Self.layer)/1/attachments", ["f": "json"])
    let infos = try #require(list["attachmentInfos"]?.array)
    #expect(infos.count == 2)
    let info = try #require(infos.first)
    #expect(info["contentType"]?.string == "image/png")
    let id = try #require(info["id"]?.int)
    let data = try await client.body("\(Self.layer)/1/attachments/\(id)")
    #expect(data.count == info["size"]?.int)
    #expect(data.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
  }

  @Test func `Attachments of many rows are found by kind and size`() async throws {
    let client = try ServiceClient()
    let texts = try await client.json(
      "\(Self.layer)/queryAttachments",
      [
        "definitionExpression": "1=1", "attachmentTypes": "text/plain", "keywords": "",
        "returnUrl": "true", "f": "json",
      ])
    let groups = try #require(texts["attachmentGroups"]?.array)
    #expect(groups.count > 5)
    #expect(groups.allSatisfy { $0["attachmentInfos"]?.array?.count == 1 })
    let url = try #require(groups[0]["attachmentInfos"]?[0]?["url"]?.string)
    #expect(url.hasPrefix("https://demo.test/arcgis/rest/services/ExploreMaine/FeatureServer/1/"))
    let none = try await client.json(
      "\(Self.layer)/queryAttachments", ["definitionExpression": "1=1", "size": "99999999"])
    #expect(none["attachmentGroups"]?.array?.isEmpty == true)
  }

  @Test func `An attachment is added, replaced and removed`() async throws {
    let client = try ServiceClient()
    let added = try await client.upload(
      "\(Self.layer)/3/addAttachment", ["f": "json", "keywords": "note"], field: "attachment",
      name: "a.txt", contents: Data("one".utf8))
    let id = try #require(added["addAttachmentResult"]?["objectId"]?.int)
    #expect(added["addAttachmentResult"]?["globalId"]?.string != nil)
    #expect(try await client.body("\(Self.layer)/3/attachments/\(id)") == Data("one".utf8))
    let changed = try await client.upload(
      "\(Self.layer)/3/updateAttachment", ["attachmentId": "\(id)"], field: "attachment",
      name: "b.txt", contents: Data("two\r\n".utf8))
    #expect(changed["updateAttachmentResult"]?["success"]?.bool == true)
    #expect(try await client.body("\(Self.layer)/3/attachments/\(id)") == Data("two\r\n".utf8))
    let removed = try await client.json(
      "\(Self.layer)/3/deleteAttachments", ["attachmentIds": "\(id)"])
    #expect(removed["deleteAttachmentResults"]?[0]?["objectId"]?.int == id)
    let gone = try await client.json("\(Self.layer)/3/attachments/\(id)")
    #expect(gone["error"]?["code"]?.int == 404)
  }

  @Test func `A file that was uploaded before becomes an attachment`() async throws {
    let client = try ServiceClient()
    let item = try await client.json(
      "\(ServiceClient.maine)/uploads/register", ["itemName": "long.txt"])
    let upload = try #require(item["item"]?["itemID"]?.string)
    for (number, text) in [(2, "world"), (1, "hello ")] {
      _ = try await client.upload(
        "\(ServiceClient.maine)/uploads/\(upload)/uploadPart", ["partId": "\(number)"],
        field: "file", name: "part", contents: Data(text.utf8))
    }
    let committed = try await client.json(
      "\(ServiceClient.maine)/uploads/\(upload)/commit", ["parts": "1,2"])
    #expect(committed["item"]?["committed"]?.bool == true)
    let added = try await client.json(
      "\(Self.layer)/4/addAttachment", ["uploadId": upload])
    let id = try #require(added["addAttachmentResult"]?["objectId"]?.int)
    #expect(
      try await client.body("\(Self.layer)/4/attachments/\(id)") == Data("hello world".utf8))
  }
}
