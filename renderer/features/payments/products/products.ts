import { complaintProduct } from "./complaint-product.ts";
import type { ProductName } from "./product-names.ts";
import type { Product } from "./product.ts";
import { pushProduct } from "./push-product.ts";
import { shareProduct } from "./share-product.ts";
import { shipmentProduct } from "./shipment-product.ts";
import { transferProduct } from "./transfer-product.ts";

export const products: Readonly<Record<ProductName, Product>> = {
  shares: shareProduct,
  transfers: transferProduct,
  shipments: shipmentProduct,
  complaints: complaintProduct,
  pushes: pushProduct,
};

/** Products whose entries belong to orders. */
export const productsOfOrders = ["shares", "shipments", "complaints"] as const satisfies ProductName[];
