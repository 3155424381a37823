App({ globalData: { server: "https://shop.example" } });
