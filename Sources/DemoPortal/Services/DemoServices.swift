internal import Foundation
internal import PortolanFeatures
internal import PortolanJSON
package import PortolanSample

/// The hosted services of the demo portal, made from the sample that ships.
///
/// They are below `/arcgis/rest/services`, and those of the server that keeps users of its own
/// below `/secured/rest/services`.
public struct DemoServices: Sendable {
  /// The roots of the services' paths.
  enum Root {
    static let portal = "/arcgis/rest/services"
    static let secured = "/secured/rest/services"
    /// Services that answer as those of ArcGIS Enterprise 10.9 do.
    static let enterprise = "/enterprise/rest/services"
    /// Services that answer as those of ArcGIS Server 10.2 do.
    static let server102 = "/server102/rest/services"
    /// Services that answer as those of ArcGIS Online do.
    static let online = "/online/rest/services"
  }

  /// The name of the feature service with everything in *Explore Maine*; it can be edited and
  /// taken offline.
  public static let exploreMaine = "ExploreMaine"
  /// The name of a feature service of old ways: no pages, no buffers, ten features an answer.
  public static let oldTowns = "MaineTowns"
  /// The name of a feature service with as many points as are requested.
  public static let soundings = "Soundings"
  /// The name of a feature service of old ways with the same points.
  public static let oldSoundings = "SoundingsOld"
  /// The name of a feature service that only people who are signed in may see.
  public static let privateParks = "ParkSurveys"
  /// The name of a feature service of the server with other users, below `/secured`.
  public static let harborLights = "HarborLights"

  /// The name of a map service of pictures, whose tiles can be exported.
  public static let backdrop = "MaineBackdrop"

  /// The name of a map service with the same pictures, whose exports answer as ArcGIS Online's do.
  public static let onlineBackdrop = "MaineBackdropOnline"
  /// The name of a service of vector tiles, which can be exported.
  public static let vectorBackdrop = "MaineVector"
  /// The name of an image service of the same extent.
  public static let imagery = "MaineImagery"
  /// The name of a geocoder over the names of the sample.
  public static let locator = "MaineLocator"

  private let featureServices: [FeatureServiceRoutes]
  private let tileServices: [TileServiceRoutes]
  private let imageService: ImageServiceRoutes
  private let geocodeService: GeocodeServiceRoutes
  private let state: DemoState

  /// Makes the services again.
  ///
  /// - Parameters:
  ///   - state: What changes about the portal.
  ///   - soundingCount: How many points the services of soundings have.
  /// - Throws: An error of the sample if its sources are not beside the program.
  public init(state: DemoState, soundingCount: Int = 1200) throws {
    try self.init(state: state, contents: SampleContents(), soundingCount: soundingCount)
  }

  /// Makes the services of what was read before.
  package init(
    state: DemoState, contents: SampleContents, soundingCount: Int = 1200
  ) throws {
    let builder = ServiceBuilder(
      contents: contents, state: state, soundings: Soundings(count: soundingCount))
    featureServices = builder.featureServices
    tileServices = try builder.tileServices()
    imageService = ImageServiceRoutes(
      renderer: BackdropTiles(contents: contents), name: Self.imagery,
      path: "\(Root.portal)/\(Self.imagery)/ImageServer")
    geocodeService = GeocodeServiceRoutes(
      gazetteer: try Gazetteer(contents),
      path: "\(Root.portal)/\(Self.locator)/GeocodeServer")
    self.state = state
  }

  /// Adds the addresses of all services.
  func add(to router: inout Router) {
    for routes in featureServices {
      routes.add(to: &router)
      SyncRoutes(routes: routes, state: state).add(to: &router)
      if routes.realm == .portal, !routes.service.options.needsToken {
        let path = routes.path.replacing("/FeatureServer", with: "/MapServer")
        DynamicMapServiceRoutes(service: routes.service, path: path).add(to: &router)
      }
    }
    let path = "\(Root.portal)/\(Self.exploreMaine)/FeatureServer"
    if let maine = featureServices.first(where: { $0.path == path }) {
      UpdateRoutes(state: state, service: maine.service).add(to: &router)
    }
    for routes in tileServices { routes.add(to: &router) }
    imageService.add(to: &router)
    geocodeService.add(to: &router)
    addDirectories(to: &router)
  }

  /// The lists of services, `rest/services`.
  private func addDirectories(to router: inout Router) {
    let hidden = featureServices.filter(\.service.options.needsToken).map(\.path)
    let paths =
      featureServices.flatMap {
        [$0.path, $0.path.replacing("/FeatureServer", with: "/MapServer")]
      }
      + tileServices.map(\.path) + ["\(Root.portal)/\(Self.locator)/GeocodeServer"]
    let roots = [
      (Root.portal, DemoRealm.portal), (Root.secured, .secured), (Root.enterprise, .portal),
      (Root.server102, .portal), (Root.online, .portal),
    ]
    for (root, realm) in roots {
      let own = paths.filter { $0.hasPrefix(root) }
      router.add(root, realm: realm) { request in
        let seen = own.filter { request.viewer.isSignedIn || !hidden.contains($0) }
        return .json([
          "currentVersion": 11.5, "folders": [],
          "services": .array(
            seen.map { path in
              let words = path.split(separator: "/")
              return [
                "name": .string(String(words[words.count - 2])),
                "type": .string(String(words[words.count - 1])),
                "url": .string(request.address(path)),
              ]
            }),
        ])
      }
    }
  }
}
