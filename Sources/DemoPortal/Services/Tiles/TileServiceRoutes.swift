/// The addresses of a service of tiles, and those by which its tiles are exported.
struct TileServiceRoutes: Sendable {
  /// The kind of tiles.
  enum Service: Sendable {
    case pictures(TiledMapServiceRoutes)
    case vectors(VectorTileServiceRoutes)
  }

  let service: Service
  let export: ExportRoutes

  /// The path of the service.
  var path: String {
    switch service {
    case .pictures(let routes): routes.path
    case .vectors(let routes): routes.path
    }
  }

  /// Adds the addresses.
  func add(to router: inout Router) {
    switch service {
    case .pictures(let routes): routes.add(to: &router)
    case .vectors(let routes): routes.add(to: &router)
    }
    export.add(to: &router)
  }
}
