import Foundation
import PortolanJSON
import PortolanPortal
import PortolanTransport
import Testing

extension RecordedBodyReader {
  /// The readers of the bodies of portals.
  static let portal: [RecordedBodyReader] = [
    RecordedBodyReader("portal/*__Portal*Response.json") { portal, _ in
      let info = try await portal.info()
      #expect(info.json["helperServices"] != nil)
    },
    RecordedBodyReader("portal/*UserResponse.json", user),
    RecordedBodyReader("portal/*user-info.json", user),
    RecordedBodyReader("portal/*GroupResponse.json") { portal, _ in
      guard try await !isItemGroups(portal) else { return }
      let id = try someID
      #expect(try await portal.group(id).title.isEmpty == false)
    },
    RecordedBodyReader("portal/*GroupSearchResponse.json", groups),
    RecordedBodyReader("portal/*__group-search-results.json", groups),
    RecordedBodyReader("portal/*__UserSearchResponse.json") { portal, _ in
      let users = try await portal.findUsers(PortalQueryParameters())
      #expect(users.results.count == 12)
    },
    RecordedBodyReader("portal/*BigSearchResponse.json", items),
    RecordedBodyReader("portal/*__SearchResponse.json", items),
    RecordedBodyReader("portal/*GroupContentResponse.json", items),
    RecordedBodyReader("portal/*items-search.json", items),
    RecordedBodyReader("portal/*search-result.json", items),
    RecordedBodyReader("portal/*__ItemResponse.json", item),
    RecordedBodyReader("portal/*__item.json", item),
    RecordedBodyReader("vectortile/*-item-info.json", item),
    RecordedBodyReader("featureserver/*item-info.json", item),
    RecordedBodyReader("portal/*ItemDataResponse.json", itemData),
    RecordedBodyReader("portal/*ItemFormJsonResponse.json", itemData),
    RecordedBodyReader("portal/*__item-data.json", itemData),
    RecordedBodyReader("vectortile/*-item-resources.json", resources),
    RecordedBodyReader("portal/*GetItemResourcesResponse.json") { portal, _ in
      let id = try someID
      let resources = try await portal.resources(of: id)
      #expect(resources.map(\.path) == ["image/banner.jpg", "image/logo.jpg", "text/desc.txt"])
    },
    RecordedBodyReader("portal/*RelatedItemsResponse.json") { portal, _ in
      let id = try someID
      let items = try await portal.relatedItems(to: id, through: .mapToArea)
      #expect(items.map(\.id.text) == ["4bc"])
    },
    // Members of a group, and answers to changes, which are read as they are.
    RecordedBodyReader("portal/*GroupUsersResponse.json", plain),
    RecordedBodyReader("portal/*GroupEditResponse.json", plain),
    RecordedBodyReader("portal/*GroupNotificationResponse.json", plain),
    RecordedBodyReader("portal/*GroupCategorySchemaResponse.json", plain),
    RecordedBodyReader("portal/*ItemPartsResponse.json", plain),
    RecordedBodyReader("portal/*ItemStatusResponse.json", plain),
    RecordedBodyReader("portal/*ItemSuccessResponse.json", plain),
    RecordedBodyReader("portal/*ItemResourceResponse.json", plain),
    RecordedBodyReader("portal/*UpdateItemInfoResponse.json", plain),
    RecordedBodyReader("portal/*SubscriptionInfoResponse.json", plain),
    RecordedBodyReader("portal/*-session.json", plain),
    // XML, which is read as bytes.
    RecordedBodyReader("portal/*Response.txt") { portal, url in
      let response = try await portal.client.data(url)
      #expect(response.body.contains(UInt8(ascii: "<")))
    },
  ]

  static var someID: PortalItem.ID {
    get throws { try PortalItem.ID("0123456789abcdef0123456789ABCDEF") }
  }

  @Sendable private static func isItemGroups(_ portal: Portal) async throws -> Bool {
    try await portal.client.json(RecordedBody.service)["admin"] != nil
  }

  @Sendable static func plain(_ portal: Portal, _ url: URL) async throws {
    #expect(try await portal.client.json(url).object?.isEmpty == false)
  }

  @Sendable private static func user(_ portal: Portal, _ url: URL) async throws {
    let user = try await portal.user("jsmith")
    #expect(user.fullName != nil || !user.groups.isEmpty)
  }

  @Sendable private static func groups(_ portal: Portal, _ url: URL) async throws {
    let groups = try await portal.findGroups(PortalQueryParameters())
    #expect(groups.totalCount ?? 0 >= groups.results.count && !groups.results.isEmpty)
  }

  @Sendable private static func items(_ portal: Portal, _ url: URL) async throws {
    let items = try await portal.findItems(PortalQueryParameters())
    #expect(items.totalCount != nil && !items.results.isEmpty)
    for item in items.results {
      #expect(!item.kind.rawValue.isEmpty && !item.title.isEmpty && item.modified != nil)
    }
  }

  @Sendable private static func item(_ portal: Portal, _ url: URL) async throws {
    let body = try await portal.client.json(RecordedBody.service)
    let item = try await portal.item(PortalItem.ID(try #require(body["id"]?.string)))
    #expect(!item.kind.rawValue.isEmpty && !item.title.isEmpty && item.created != nil)
  }

  @Sendable private static func itemData(_ portal: Portal, _ url: URL) async throws {
    let id = try someID
    #expect(try await portal.json(of: id)?.object?.isEmpty == false)
  }

  @Sendable private static func resources(_ portal: Portal, _ url: URL) async throws {
    let id = try someID
    _ = try await portal.resources(of: id)
  }
}
