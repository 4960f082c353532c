public import Foundation
internal import PortolanGeometry
internal import PortolanJSON
package import PortolanSample

/// The contents of the portal when it starts: items and their data.
///
/// Everything is made by Portolan's own writers from the sample that ships and from what is
/// invented here; packages are written when they are first requested.
struct DemoContent: Sendable {
  /// The moment that everything says it was made: 15 March 2026, noon in UTC.
  static let moment = Date(timeIntervalSince1970: 1_773_576_000)

  /// The credits of items.
  static let itemCredits = "Portolan"
  /// The credits of services and of their replicas.
  static let credits = "Facts compiled for the Portolan project."
  /// The same for images of the backdrop.
  static let pictureCredits = "Facts compiled for the Portolan project; drawn by Portolan."

  let contents: SampleContents
  let identifiers: DemoIdentifiers

  init(_ contents: SampleContents, seed: UInt64) {
    self.contents = contents
    identifiers = DemoIdentifiers(seed: seed)
  }

  /// Puts everything on the portal.
  func install(in state: DemoState) async {
    await state.add(group)
    for item in webMaps + services + [onlineServices, mapbook, samplePackage, notes]
      + regionalMapbooks
    {
      await state.put(item)
    }
    for area in mapAreas {
      await area.install(in: state, of: identifiers.itemID(Name.exploreMaine))
    }
  }

  /// The names that ids are made from.
  enum Name {
    static let exploreMaine = "map/explore-maine"
    static let group = "group/field-crew"
    static let vectorBasemap = "map/vector-basemap"
  }

  /// A new item of the owner of most content, with an image of the backdrop in its extent.
  ///
  /// - Parameters:
  ///   - name: What its id is made from.
  ///   - title: The title.
  ///   - type: The type in Esri's words.
  ///   - box: The extent in degrees, or the whole of Maine.
  /// - Returns: The item, public and without data.
  func item(_ name: String, _ title: String, _ type: String, box: Envelope? = nil) -> DemoItem {
    var item = DemoItem(
      id: identifiers.itemID(name), owner: "demo", title: title, type: type, created: Self.moment)
    let box = box ?? contents.geographicExtent
    item.extent = [box.xMin, box.yMin, box.xMax, box.yMax]
    item.accessInformation = Self.itemCredits
    item.licenseInfo = "Part of Portolan, under the Apache License 2.0."
    item.numViews = identifiers.number(name, below: 5000)
    // Items do not all have the same age, so that sorting them shows.
    let age = TimeInterval(identifiers.number("age/\(name)", below: 400 * 86_400))
    item.created = Self.moment.addingTimeInterval(-age)
    item.modified = Self.moment.addingTimeInterval(-age / 3)
    item.thumbnail = picture(of: box)
    return item
  }

  /// A picture 200 pixels wide and 133 high, the size of thumbnails.
  private func picture(of box: Envelope) -> DemoPicture {
    let contents = contents
    return DemoPicture(name: "thumbnail.png") {
      let extent = try ProjectedExtent(box).fitting(width: 200, height: 133)
      return try contents.backdropPNG(of: extent, width: 200, height: 133)
    }
  }

  private var group: DemoGroup {
    DemoGroup(
      id: identifiers.itemID(Name.group), title: "Field Crew",
      snippet: "People who take maps outside.", owner: "demo", members: ["demo", "viewer"],
      access: .org)
  }
}

extension DemoPortal {
  /// Makes the portal as the command line serves it: content and hosted services.
  ///
  /// - Throws: An error of the sample if its sources are not beside the program.
  public static func standard(state: DemoState) async throws -> DemoPortal {
    try await standard(state: state, contents: SampleContents())
  }

  /// Makes the portal of a sample that was read before.
  package static func standard(
    state: DemoState, contents: SampleContents
  ) async throws -> DemoPortal {
    let content = DemoContent(contents, seed: state.seed)
    await content.install(in: state)
    let services = try DemoServices(state: state, contents: contents)
    return DemoPortal(state: state, services: services, content: content)
  }

  /// Makes the files of all items now, for a portal at `base`, so that no request waits for them.
  public func prepare(at base: URL) async throws {
    for item in await state.items(for: .user("demo")) {
      if case .file(let file) = item.content {
        _ = try await state.files.url(of: file, at: base.absoluteString)
      }
    }
  }
}
