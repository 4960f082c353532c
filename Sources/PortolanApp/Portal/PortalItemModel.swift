public import Foundation
public import Observation
public import PortolanGeometry
internal import PortolanMap
internal import PortolanPortal

/// The screen of one item of a portal.
@MainActor
@Observable
public final class PortalItemModel {
  /// The properties of an item.
  public struct Details: Hashable, Sendable, Codable {
    /// The id.
    public var id: String
    /// The title for people.
    public var title: String
    /// The kind of item, as the portal spells it.
    public var kind: String
    /// The user name of the owner.
    public var owner: String?
    /// The sharing level: `private`, `shared`, `org`, `public`.
    public var access: String?
    /// The date of creation.
    public var created: Date?
    /// The date of the last change.
    public var modified: Date?
    /// Its size in bytes.
    public var size: Int64?
    /// One or two sentences on it.
    public var snippet: String?
    /// The description, without markup.
    public var description: String?
    /// Words that it can be found by.
    public var tags: [String]
    /// The attribution.
    public var credits: String?
    /// The terms of use, without markup.
    public var termsOfUse: String?
    /// The extent, in degrees on WGS 84.
    public var extent: Envelope?
    /// The service that the item is about.
    public var url: URL?
    /// The number of views.
    public var views: Int?
    /// Its picture as bytes of PNG, JPEG or GIF.
    public var thumbnail: Data?
    /// The reason why it has a picture that cannot be shown.
    public var thumbnailProblem: Problem?
  }

  /// The state of the screen.
  public enum State: Hashable, Sendable, Codable {
    case empty
    case loading(id: String)
    case loaded(Details)
    case failed(Problem)

    /// The properties of the item.
    public var details: Details? {
      if case .loaded(let details) = self { details } else { nil }
    }
  }

  /// The current state; observe this.
  public private(set) var state = State.empty

  @ObservationIgnored private let portal: any PortalBrowsing
  /// Counts items, so that the answer about an older one changes nothing.
  @ObservationIgnored private var itemNumber = 0

  /// Creates the screen without an item.
  public init(portal: any PortalBrowsing) { self.portal = portal }

  /// Fetches an item and its picture; a picture that does not come is a problem of its own.
  public func load(_ id: String) async {
    itemNumber += 1
    let number = itemNumber
    state = .loading(id: id)
    do {
      let item = try await portal.item(PortalItem.ID(id))
      var details = Details(item)
      do throws(PortalError) {
        details.thumbnail = try await portal.thumbnail(of: item, width: nil)
      } catch {
        details.thumbnailProblem = Problem(error)
      }
      guard number == itemNumber else { return }
      state = .loaded(details)
    } catch {
      guard number == itemNumber else { return }
      state = .failed(Problem(error))
    }
  }
}

extension PortalItemModel.Details {
  fileprivate init(_ item: PortalItem) {
    id = item.id.text
    title = item.title
    kind = item.kind.rawValue
    owner = item.owner
    access = item.access?.rawValue
    created = item.created
    modified = item.modified
    size = item.size
    snippet = item.snippet
    description = item.itemDescription.map(PlainText.ofHTML)
    tags = item.tags
    credits = item.accessInformation
    termsOfUse = item.termsOfUse.map(PlainText.ofHTML)
    extent = item.extent
    url = item.url
    views = item.numberOfViews
  }
}
