internal import Foundation
internal import PortolanJSON
internal import PortolanTransport

extension DemoItem {
  /// The item as the portal at `base` describes it.
  ///
  /// - Parameters:
  ///   - base: The address of the portal, without a slash at its end.
  ///   - size: The number of bytes it holds, -1 where there are none or they were not counted.
  /// - Returns: The object, with every member that ArcGIS Online sends.
  func json(at base: String, size: Int) -> JSONValue {
    .object(JSONObject(identity(at: base) + details(size: size) + social))
  }

  private typealias Member = JSONObject.Member

  private func identity(at base: String) -> [Member] {
    [
      Member(name: "id", value: .string(id)),
      Member(name: "owner", value: .string(owner)),
      Member(name: "orgId", value: .string(DemoOrganization.id)),
      Member(name: "created", value: .integer(created.epochMilliseconds)),
      Member(name: "modified", value: .integer(modified.epochMilliseconds)),
      Member(name: "guid", value: .null),
      Member(name: "name", value: .text(name)),
      Member(name: "title", value: .string(title)),
      Member(name: "type", value: .string(type)),
      Member(name: "typeKeywords", value: .texts(typeKeywords.map { Self.placed($0, at: base) })),
      Member(name: "description", value: .text(description)),
      Member(name: "tags", value: .texts(tags)),
      Member(name: "snippet", value: .text(snippet)),
      Member(name: "thumbnail", value: .text(thumbnail.map { "thumbnail/\($0.name)" })),
      Member(name: "url", value: .text(url.map { Self.placed($0, at: base) })),
      Member(name: "properties", value: Self.placed(properties, at: base)),
    ]
  }

  private func details(size: Int) -> [Member] {
    [
      Member(name: "documentation", value: .null),
      Member(name: "extent", value: extentJSON),
      Member(name: "categories", value: []),
      Member(name: "spatialReference", value: .null),
      Member(name: "accessInformation", value: .text(accessInformation)),
      Member(name: "licenseInfo", value: .text(licenseInfo)),
      Member(name: "culture", value: "en-us"),
      Member(name: "proxyFilter", value: .null),
      Member(name: "access", value: .string(access.rawValue)),
      Member(name: "size", value: .integer(Int64(size))),
      Member(name: "ownerFolder", value: .text(folder)),
      Member(name: "protected", value: .bool(isProtected)),
    ]
  }

  private var social: [Member] {
    let empty = ["appCategories", "industries", "languages", "screenshots"]
    let nothing = ["largeThumbnail", "banner", "groupDesignations"]
    let zero = ["numComments", "numRatings", "avgRating"]
    return empty.map { Member(name: $0, value: []) }
      + nothing.map { Member(name: $0, value: .null) }
      + zero.map { Member(name: $0, value: 0) } + [
        Member(name: "listed", value: false),
        Member(name: "numViews", value: .integer(Int64(numViews))),
        Member(name: "scoreCompleteness", value: 80),
      ]
  }

  private var extentJSON: JSONValue {
    guard let extent, extent.count == 4 else { return [] }
    return [
      [.number(extent[0]), .number(extent[1])], [.number(extent[2]), .number(extent[3])],
    ]
  }
}

extension DemoItem {
  private static let placeholder = "{base}"

  /// `text` with the address of the portal where it belongs.
  static func placed(_ text: String, at base: String) -> String {
    text.replacing(placeholder, with: base)
  }

  /// `value` with the address of the portal in all its texts.
  static func placed(_ value: JSONValue, at base: String) -> JSONValue {
    switch value {
    case .string(let text): .string(placed(text, at: base))
    case .array(let elements): .array(elements.map { placed($0, at: base) })
    case .object(let object):
      .object(
        JSONObject(
          object.members.map {
            JSONObject.Member(name: $0.name, value: placed($0.value, at: base))
          }))
    case .null, .bool, .integer, .number: value
    }
  }
}

extension JSONValue {
  /// A text, or `null`.
  static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  /// Texts.
  static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
