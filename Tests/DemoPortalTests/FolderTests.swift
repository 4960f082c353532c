import DemoPortal
import Foundation
import PortolanJSON
import Testing

@Suite struct FolderTests {
  private static let user = "/sharing/rest/content/users/demo"

  private let bed: PortalBed
  private let token: String

  init() async throws {
    bed = try await PortalBed()
    token = await bed.token()
  }

  private func post(_ path: String, _ form: [(String, String)] = []) async throws -> JSONValue {
    try await bed.json(Self.user + path, form: form + [("f", "json")], token: token)
  }

  private func addItem(_ title: String, in folder: String = "") async throws -> String {
    let added = try await post(
      folder + "/addItem", [("type", "Web Map"), ("title", title), ("text", "{}")])
    return try #require(added["id"]?.string)
  }

  private func titles(in folder: String = "") async throws -> [String] {
    let list = try await bed.json(Self.user + folder + "?num=100", token: token)
    return (list["items"]?.array ?? []).compactMap { $0["title"]?.string }
  }

  @Test func `An item is in its folder and not beside it`() async throws {
    let made = try await post("/createFolder", [("title", "Surveys")])
    let folder = try #require(made["folder"]?["id"]?.string)
    let id = try await addItem("Kept", in: "/" + folder)
    #expect(try await titles(in: "/" + folder) == ["Kept"])
    #expect(try await !titles().contains("Kept"))
    let item = try await bed.json("/sharing/rest/content/items/" + id, token: token)
    #expect(item["ownerFolder"] == .string(folder))
    let list = try await bed.json(Self.user, token: token)
    #expect(list["folders"]?.array?.compactMap { $0["title"] } == ["Surveys"])
  }

  @Test func `An item is moved into a folder and out of it`() async throws {
    _ = try await post("/createFolder", [("title", "Surveys")])
    let id = try await addItem("Moved")
    let moved = try await post("/items/\(id)/move", [("folder", "Surveys")])
    #expect(moved["folder"]?.string != nil)
    #expect(try await titles(in: "/Surveys") == ["Moved"])
    let back = try await post("/moveItems", [("items", id), ("folder", "/")])
    #expect(back["results"]?[0]?["success"] == true)
    #expect(try await titles(in: "/Surveys").isEmpty)
    #expect(try await post("/items/\(id)/move", [("folder", "Nowhere")])["error"]?["code"] == 400)
  }

  @Test func `A folder has a title of its own, and goes with what is in it`() async throws {
    _ = try await post("/createFolder", [("title", "Surveys")])
    #expect(try await post("/createFolder", [("title", "surveys")])["error"]?["code"] == 400)
    let renamed = try await post("/Surveys/updateFolder", [("newTitle", "Old surveys")])
    #expect(renamed["folder"]?["title"] == "Old surveys")
    let id = try await addItem("Kept", in: "/Old%20surveys")
    #expect(try await post("/Old%20surveys/delete")["success"] == true)
    #expect(await bed.state.item(id) == nil)
    #expect(try await bed.json(Self.user, token: token)["folders"] == [])
  }

  @Test func `A protected item is not deleted, alone or with its folder`() async throws {
    _ = try await post("/createFolder", [("title", "Surveys")])
    let id = try await addItem("Protected", in: "/Surveys")
    _ = try await post("/Surveys/items/\(id)/protect")
    #expect(try await post("/items/\(id)/delete")["error"]?["code"] == 400)
    #expect(try await post("/Surveys/delete")["error"]?["code"] == 400)
    #expect(await bed.state.item(id)?.isProtected == true)
    _ = try await post("/items/\(id)/unprotect")
    #expect(try await post("/Surveys/delete")["success"] == true)
  }

  @Test func `A copy holds the same and is its maker's alone`() async throws {
    let id = try await bed.id("Explore Maine", "Web Map")
    let copied = try await post("/items/\(id)/copy", [("title", "Mine"), ("tags", "a,b")])
    let copy = try #require(await bed.state.item(copied["itemId"]?.string ?? ""))
    #expect(copy.id != id)
    #expect((copy.title, copy.tags, copy.access) == ("Mine", ["a", "b"], .private))
    let data = "/sharing/rest/content/items/"
    let original = try await bed.answer(data + id + "/data", token: token)
    #expect(try await bed.answer(data + copy.id + "/data", token: token).data == original.data)
  }

  @Test func `An item is given away by its owner or an administrator`() async throws {
    let id = try await addItem("Given")
    _ = try await post("/items/\(id)/reassign", [("targetUsername", "viewer")])
    #expect(await bed.state.item(id)?.owner == "viewer")
    _ = try await post("/items/\(id)/reassign", [("targetUsername", "demo")])
    let viewer = await bed.token("viewer")
    let refused = try await bed.json(
      Self.user + "/items/\(id)/reassign",
      form: [("targetUsername", "viewer"), ("f", "json")], token: viewer)
    #expect(refused["error"]?["code"] == 403)
    #expect(await bed.state.item(id)?.owner == "demo")
  }

  @Test func `Users are found by signed-in users`() async throws {
    let users = "/sharing/rest/community/users?q=viewer"
    #expect(try await bed.json(users)["error"]?["code"] == 499)
    let found = try await bed.json(users, token: token)
    #expect(found["results"]?.array?.compactMap { $0["username"] } == ["viewer"])
    let id = try #require(found["results"]?[0]?["id"]?.string)
    let user = try await bed.json("/sharing/rest/community/users/" + id, token: token)
    #expect(user["username"] == "viewer")
    let groups = try await bed.json("/sharing/rest/community/groups?q=field", token: token)
    let group = try #require(groups["results"]?[0]?["id"]?.string)
    let root = "/sharing/rest/community/groups/\(group)"
    let members = try await bed.json(root + "/users", token: token)
    let list = try await bed.json(root + "/userList", token: token)
    #expect(members["owner"] == list["owner"]?["username"])
    #expect(members["users"]?.array?.count == list["total"]?.int)
  }
}
