/// Tables of features that know what was changed since they were synchronized.
public protocol ChangeTrackingStore: FeatureStore, AnyObject {
  /// What differs from the state that was synchronized last.
  @concurrent func localChanges() async throws(FeatureEditError) -> LocalChanges
}
