extension AppModel {
  /// Asks again for the layers of the open map that were refused for want of a sign-in, as after one.
  ///
  /// The map says of those that are refused again why they are.
  public func retryRefusedLayers() async {
    guard let map else { return }
    for key in map.state.signInServers.keys.sorted() {
      do throws(Problem) {
        if let webMap = portal?.webMap, webMap.isShown(by: map) {
          try await webMap.retry(key)
        } else {
          try await map.retry(key)
        }
      } catch {
        // The others may be given all the same.
      }
    }
  }
}
