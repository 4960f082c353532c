internal import PortolanFeatures
internal import PortolanMap
internal import PortolanPackages

/// Edits in a package that is an archive, as one that was exported from another device holds: nobody
/// can send them from there.
enum ArchivedEdits {
  /// What people should know of them; `nil` if there are none.
  @concurrent static func sentence(of package: MobileMapPackage) async -> String? {
    var count = 0
    var seen: Set<ObjectIdentifier> = []
    for map in package.maps {
      for layer in map.webMap.allLayers {
        guard case .features(let contents) = await map.contents.content(of: layer) else { continue }
        for content in contents {
          guard let store = content.store as? any ChangeTrackingStore,
            seen.insert(ObjectIdentifier(store)).inserted
          else { continue }
          // A database that cannot be read is among the parts that are told of.
          count += (try? await store.localChanges().changes.count) ?? 0
        }
      }
      await map.contents.close()
    }
    guard count > 0 else { return nil }
    let edits =
      count == 1
      ? "An edit in it was not sent yet, and cannot be sent from an archive."
      : "\(count) edits in it were not sent yet, and cannot be sent from an archive."
    return "\(edits) Unpack the package and import the folder to go on editing."
  }
}
