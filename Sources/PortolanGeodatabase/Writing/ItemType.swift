/// The kinds of item that a geodatabase may hold, in the order of `GDB_ItemTypes`.
///
/// The ids are those of every geodatabase, so that items can be identified by them.
///
/// - SeeAlso: Docs/FORMATS.md, 2.2
enum ItemType: String, CaseIterable, Sendable {
  case item = "{8405ADD5-8DF8-4227-8FAC-3FCADE073386}"
  case folder = "{F3783E6F-65CA-4514-8315-CE3985DAD3B1}"
  case resource = "{FFD09C28-FE70-4E25-907C-AF8E8A5EC5F3}"
  case dataset = "{28DA9E89-FF80-4D6D-8926-4EE2B161677D}"
  case tin = "{FBDD7DD6-4A25-40B7-9A1A-ECC3D1172447}"
  case abstractTable = "{D4912162-3413-476E-9DA4-2AEFBBC16939}"
  case relationshipClass = "{B606A7E1-FA5B-439C-849C-6E9C2481537B}"
  case featureDataset = "{74737149-DCB5-4257-8904-B9724E32A530}"
  case geometricNetwork = "{73718A66-AFB9-4B88-A551-CFFA0AE12620}"
  case topology = "{767152D3-ED66-4325-8774-420D46674E07}"
  case surveyDataset = "{E6302665-416B-44FA-BE33-4E15916BA101}"
  case schematicDataset = "{D5A40288-029E-4766-8C81-DE3F61129371}"
  case toolbox = "{DB1B697A-3BB6-426A-98A2-6EE7A4C6AED3}"
  case workspace = "{C673FE0F-7280-404F-8532-20755DD8FC06}"
  case workspaceExtension = "{DC9EF677-1AA3-45A7-8ACD-303A5202D0DC}"
  case extensionDataset = "{77292603-930F-475D-AE4F-B8970F42F394}"
  case domain = "{8637F1ED-8C04-4866-A44A-1CB8288B3C63}"
  case replica = "{4ED4A58E-621F-4043-95ED-850FBA45FCBC}"
  case replicaDataset = "{D98421EB-D582-4713-9484-43304D0810F6}"
  case historicalMarker = "{DC64B6E4-DC0F-43BD-B4F5-F22385DCF055}"
  case table = "{CD06BC3B-789D-4C51-AAFA-A467912B8965}"
  case featureClass = "{70737809-852C-4A03-9E22-2CECEA5B9BFA}"
  case rasterDataset = "{5ED667A3-9CA9-44A2-8029-D95BF23704B9}"
  case rasterCatalog = "{35B601F7-45CE-4AFF-ADB7-7702D3839B12}"
  case networkDataset = "{7771FC7D-A38B-4FD3-8225-639D17E9A131}"
  case terrain = "{76357537-3364-48AF-A4BE-783C7C28B5CB}"
  case parcelFabric = "{A3803369-5FC2-4963-BAE0-13EFFC09DD73}"
  case representationClass = "{A300008D-0CEA-4F6A-9DFA-46AF829A3DF2}"
  case catalogDataset = "{787BEA35-4A86-494F-BB48-500B96145B58}"
  case mosaicDataset = "{F8413DCB-2248-4935-BFE9-315F397E5110}"
  case codedValueDomain = "{8C368B12-A12E-4C7E-9638-C9C64E69E98F}"
  case rangeDomain = "{C29DA988-8C3E-45F7-8B5C-18E51EE7BEB4}"
  case syncReplica = "{5B966567-FB87-4DDE-938B-B4B37423539D}"
  case syncDataset = "{D86502F9-9758-45C6-9D23-6DD1A0107B47}"
  case utilityNetwork = "{37672BD2-B9F3-48C1-89B5-8C43BBBB6D57}"
  case parcelDataset = "{EBEEE2C9-FA73-4BED-AC7D-AEE7D68AFC80}"
  case locationReferencingDataset = "{CC53CC54-4CCA-43B7-9A9B-64DC59C999BD}"

  /// The name in the table.
  var name: String {
    switch self {
    case .item: "Item"
    case .folder: "Folder"
    case .resource: "Resource"
    case .dataset: "Dataset"
    case .tin: "Tin"
    case .abstractTable: "AbstractTable"
    case .relationshipClass: "Relationship Class"
    case .featureDataset: "Feature Dataset"
    case .geometricNetwork: "Geometric Network"
    case .topology: "Topology"
    case .surveyDataset: "Survey Dataset"
    case .schematicDataset: "Schematic Dataset"
    case .toolbox: "Toolbox"
    case .workspace: "Workspace"
    case .workspaceExtension: "Workspace Extension"
    case .extensionDataset: "Extension Dataset"
    case .domain: "Domain"
    case .replica: "Replica"
    case .replicaDataset: "Replica Dataset"
    case .historicalMarker: "Historical Marker"
    case .table: "Table"
    case .featureClass: "Feature Class"
    case .rasterDataset: "Raster Dataset"
    case .rasterCatalog: "Raster Catalog"
    case .networkDataset: "Network Dataset"
    case .terrain: "Terrain"
    case .parcelFabric: "Parcel Fabric"
    case .representationClass: "Representation Class"
    case .catalogDataset: "Catalog Dataset"
    case .mosaicDataset: "Mosaic Dataset"
    case .codedValueDomain: "Coded Value Domain"
    case .rangeDomain: "Range Domain"
    case .syncReplica: "Sync Replica"
    case .syncDataset: "Sync Dataset"
    case .utilityNetwork: "Utility Network"
    case .parcelDataset: "Parcel Dataset"
    case .locationReferencingDataset: "Location Referencing Dataset"
    }
  }

  /// The more general kind; `nil` for the most general.
  var parent: ItemType? {
    switch self {
    case .item: nil
    case .folder, .resource: .item
    case .dataset: .resource
    case .tin, .abstractTable, .relationshipClass, .featureDataset, .geometricNetwork, .topology,
      .surveyDataset, .schematicDataset, .toolbox, .workspace, .workspaceExtension,
      .extensionDataset, .domain, .replica, .replicaDataset, .historicalMarker, .syncReplica,
      .syncDataset:
      .dataset
    case .table, .featureClass, .rasterDataset, .rasterCatalog: .abstractTable
    case .networkDataset, .terrain, .parcelFabric, .representationClass, .catalogDataset,
      .mosaicDataset, .utilityNetwork, .parcelDataset, .locationReferencingDataset:
      .extensionDataset
    case .codedValueDomain, .rangeDomain: .domain
    }
  }

  /// The id in place of the parent of the most general type.
  static let noParent = "{00000000-0000-0000-0000-000000000000}"
}
