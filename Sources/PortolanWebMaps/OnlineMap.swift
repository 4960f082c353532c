public import Foundation
internal import PortolanFiles
internal import PortolanJSON
public import PortolanMap
public import PortolanPortal

/// A web map that was loaded; opening it is another matter.
///
/// - SeeAlso: Docs/REST.md, 3
public struct OnlineMap: Sendable {
  /// The item that it came from; `nil` if it came from a file.
  public let item: PortalItem?
  /// The map.
  ///
  /// Its document as it came is ``PortolanMap/WebMap/json``.
  public let webMap: WebMap
  /// The title for people.
  public let title: String

  /// Takes over a map that is there already.
  public init(_ webMap: WebMap, title: String, item: PortalItem? = nil) {
    self.webMap = webMap
    self.title = title
    self.item = item
  }

  /// Loads a map by the id of its item; none of its layers is requested.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - portal: The portal that has it, with the credentials to use.
  /// - Returns: The map.
  /// - Throws: ``OnlineMapError/notAWebMap(title:kind:)`` for an item of another kind,
  ///   ``OnlineMapError/empty(title:)``, ``OnlineMapError/document(_:)``,
  ///   ``OnlineMapError/portal(_:)``.
  @concurrent public static func load(
    _ id: PortalItem.ID, from portal: Portal
  ) async throws(OnlineMapError) -> OnlineMap {
    do {
      let item = try await portal.item(id)
      guard item.isOf(.webMap) else {
        throw OnlineMapError.notAWebMap(title: item.title, kind: item.kind.rawValue)
      }
      guard let json = try await portal.json(of: id) else {
        throw OnlineMapError.empty(title: item.title)
      }
      return OnlineMap(try WebMap(json: json), title: item.title, item: item)
    } catch {
      throw OnlineMapError(error)
    }
  }

  /// Loads a map from a file with its document.
  ///
  /// - Throws: ``OnlineMapError/unreadable(file:reason:)``, ``OnlineMapError/document(_:)``.
  @concurrent public static func load(_ file: URL) async throws(OnlineMapError) -> OnlineMap {
    let data: Data
    do { data = try Data(contentsOf: file) } catch {
      throw .unreadable(
        file: file.path(percentEncoded: false), reason: error.plainReason)
    }
    do {
      return OnlineMap(
        try WebMap(parsing: data), title: file.deletingPathExtension().lastPathComponent)
    } catch {
      throw .document(error)
    }
  }
}
