internal import Foundation
internal import PortolanJSON

/// Finding items and groups.
struct SearchRoutes: Sendable {
  let state: DemoState

  func add(to router: inout Router) {
    let state = state
    for root in SharingRoot.all {
      router.add(root + "/search") { try await Self.items($0, state) }
      router.add(root + "/community/groups") { try await Self.groups($0, state) }
      router.add(root + "/community/groups/{id}") { request in
        .json(try await Self.group(request, state).json(for: request.viewer.username))
      }
      router.add(root + "/content/groups/{id}/search") { request in
        let group = try await Self.group(request, state)
        return try await Self.items(request, state, in: group)
      }
      router.add(root + "/content/groups/{id}") { request in
        let group = try await Self.group(request, state)
        return try await Self.items(request, state, in: group, as: "items")
      }
      router.add(root + "/community/groups/{id}/users") { request in
        .json(try await Self.group(request, state).membership)
      }
      router.add(root + "/community/groups/{id}/userList") { request in
        let group = try await Self.group(request, state)
        return try await Self.members(of: group, request, state)
      }
      router.add(root + "/community/users") { try await Self.users($0, state) }
    }
  }

  private static func group(
    _ request: DemoRequest, _ state: DemoState
  ) async throws(DemoFailure) -> DemoGroup {
    let id = request.capture("id")
    guard let group = await state.groups(for: request.viewer).first(where: { $0.id == id }) else {
      throw DemoFailure(
        code: 400, "Group does not exist or is inaccessible.", messageCode: "COM_0003")
    }
    return group
  }

  /// Answers the question with a page of items.
  private static func items(
    _ request: DemoRequest, _ state: DemoState, in group: DemoGroup? = nil,
    as name: String = "results"
  ) async throws -> DemoResponse {
    let parameters = request.parameters
    let text = parameters["q"] ?? ""
    let names = ["q", "filter", "bbox", "categories"]
    guard group != nil || names.contains(where: { parameters[$0] != nil }) else {
      throw DemoFailure.badRequest("'q' must be specified.")
    }
    var items = await state.items(for: request.viewer)
    if let group { items = items.filter { $0.groups.contains(group.id) } }
    let found = ItemOrder(parameters).sorted(matches(SearchQuery(text), items, parameters))
    let page = try ResultPage(found, parameters)
    let shown = await ItemPresenter(state: state).list(page.elements, request)
    var list = page.json(name, shown, echoesNum: true)
    if let counts = ItemCounts(parameters) { list["aggregations"] = counts.json(of: found) }
    return .json(.object(JSONObject([.init(name: "query", value: .string(text))] + list.members)))
  }

  private static func matches(
    _ query: SearchQuery, _ items: [DemoItem], _ parameters: DemoParameters
  ) -> [(item: DemoItem, score: Int)] {
    let filter = parameters["filter"].map(SearchQuery.init)
    let box = parameters.list("bbox").compactMap(Double.init)
    return items.compactMap { item in
      let document = SearchDocument(item)
      guard let score = query.score(document), filter.map({ $0.score(document) != nil }) ?? true,
        box.count != 4 || item.meets(box)
      else { return nil }
      return (item, score)
    }
  }

  /// Members of the organization, as others of it see them.
  private static func users(
    _ request: DemoRequest, _ state: DemoState
  ) async throws -> DemoResponse {
    guard request.viewer.isSignedIn else { throw DemoFailure.tokenRequired }
    let text = request.parameters["q"] ?? ""
    let query = SearchQuery(text)
    let found = await state.users.filter {
      $0.realm == .portal && query.score(SearchDocument($0)) != nil
    }
    let page = try ResultPage(found, request.parameters)
    var shown: [JSONValue] = []
    for user in page.elements {
      shown.append(user.json(groups: await state.groups(of: user.username), isSelf: false))
    }
    let list = page.json("results", shown, echoesNum: true)
    return .json(.object(JSONObject([.init(name: "query", value: .string(text))] + list.members)))
  }

  /// The owner of a group and a page of its other members.
  private static func members(
    of group: DemoGroup, _ request: DemoRequest, _ state: DemoState
  ) async throws -> DemoResponse {
    var members: [JSONValue] = []
    for name in group.members where name != group.owner {
      members.append([
        "username": .string(name), "fullName": .text(await state.user(name)?.fullName),
        "memberType": "member", "thumbnail": .null,
      ])
    }
    let page = try ResultPage(members, request.parameters)
    let owner: JSONValue = [
      "username": .string(group.owner), "fullName": .text(await state.user(group.owner)?.fullName),
      "thumbnail": .null,
    ]
    let list = page.json("users", page.elements, echoesNum: true)
    return .json(.object(JSONObject([.init(name: "owner", value: owner)] + list.members)))
  }

  private static func groups(
    _ request: DemoRequest, _ state: DemoState
  ) async throws -> DemoResponse {
    let text = request.parameters["q"] ?? ""
    let query = SearchQuery(text)
    let found = await state.groups(for: request.viewer).filter {
      query.score(SearchDocument($0)) != nil
    }
    let page = try ResultPage(found, request.parameters)
    let list = page.json(
      "results", page.elements.map { $0.json(for: request.viewer.username) },
      echoesNum: true)
    return .json(.object(JSONObject([.init(name: "query", value: .string(text))] + list.members)))
  }
}

extension DemoGroup {
  /// The names of those who belong to it.
  fileprivate var membership: JSONValue {
    [
      "owner": .string(owner), "admins": [.string(owner)],
      "users": .texts(members.filter { $0 != owner }),
    ]
  }
}

extension DemoItem {
  /// Whether the item's box meets `box`: west, south, east, north in degrees.
  fileprivate func meets(_ box: [Double]) -> Bool {
    guard let extent, extent.count == 4 else { return false }
    return extent[0] <= box[2] && extent[2] >= box[0] && extent[1] <= box[3] && extent[3] >= box[1]
  }
}

/// The order in which items are listed.
struct ItemOrder: Sendable {
  private let field: String?
  private let isDescending: Bool

  init(_ parameters: DemoParameters) {
    field = parameters["sortField"]?.lowercased()
    isDescending = parameters["sortOrder"]?.lowercased() == "desc"
  }

  /// Sorts by the field, or by how well items answer.
  ///
  /// Equal ones keep their order.
  func sorted(_ matches: [(item: DemoItem, score: Int)]) -> [DemoItem] {
    let numbered = matches.enumerated()
    guard let field else {
      return numbered.sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }
        .map(\.element.item)
    }
    return numbered.sorted { left, right in
      let order = compare(left.element.item, right.element.item, by: field)
      guard order != .orderedSame else { return left.offset < right.offset }
      return order == (isDescending ? .orderedDescending : .orderedAscending)
    }.map(\.element.item)
  }

  private func compare(_ left: DemoItem, _ right: DemoItem, by field: String) -> ComparisonResult {
    func compared<Value: Comparable>(_ value: (DemoItem) -> Value) -> ComparisonResult {
      let (first, second) = (value(left), value(right))
      return first < second ? .orderedAscending : first > second ? .orderedDescending : .orderedSame
    }
    switch field {
    case "title": return compared { $0.title.lowercased() }
    case "type": return compared { $0.type.lowercased() }
    case "owner": return compared { $0.owner.lowercased() }
    case "created": return compared(\.created)
    case "modified": return compared(\.modified)
    case "numviews": return compared(\.numViews)
    default: return .orderedSame
    }
  }
}
