internal import Foundation
internal import PortolanJSON
internal import PortolanMap

extension MobileMapPackage {
  /// A package that is nothing but one map.
  init(
    url: URL, mapNamed name: String, _ map: WebMap, item: JSONObject = [:],
    contents: any LayerContentSource, warnings: [String] = []
  ) {
    let item = MobileMapItem(json: item, fallbackTitle: name)
    self.init(
      url: url, info: PackageInfo(json: ["title": .string(item.title)], fallbackName: name),
      mapNames: [name],
      maps: [MobileMap(name: name, item: item, webMap: map, contents: contents)],
      warnings: warnings, isMadeOfOther: true)
  }
}
